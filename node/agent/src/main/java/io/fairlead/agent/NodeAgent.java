package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.EventSender;
import io.fairlead.containers.ClaimedFolders;
import io.fairlead.containers.ContainerHost;
import io.fairlead.containers.ImageStore;
import io.fairlead.containers.ImageTable;
import io.fairlead.containers.LogPump;
import io.fairlead.containers.NodeImages;
import io.fairlead.containers.Programs;
import io.fairlead.containers.RuncRuntime;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.ProcessEnds;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The node agent: registers the node, keeps the routes to the pods of other nodes, and runs the pods of its own.
///
/// It works in the network namespace of this JVM. When its tasks end, by [TaskGroup#close] or by a kill, the pods go
/// on; the next agent on the same state folder takes them over. [NodeCleanup] ends them.
public final class NodeAgent implements AutoCloseable {
    private final NodeConfig config;
    private final ApiClient api;
    private final Supplier<Latest<Snapshot>> snapshots;
    private final StateFolder state;
    private final ProcessEnds ends = new ProcessEnds();
    private final LogPump logs = new LogPump();
    private final EventSender events = new EventSender("fairlead-node", InstantSource.system());
    private final AtomicReference<@Nullable PodLoop> pods = new AtomicReference<>();

    /// Takes the state folder for itself; a [NodeException] says who else has it. `snapshots` gives each loop a box of
    /// its own.
    public NodeAgent(NodeConfig config, ApiClient api, Supplier<Latest<Snapshot>> snapshots) {
        this.config = config;
        this.api = api;
        this.snapshots = snapshots;
        this.state = StateFolder.open(config.stateDirectory());
    }

    /// A pod that is on this node.
    public Optional<PodView> find(NamespacedName name) {
        PodLoop loop = pods.get();
        return loop == null ? Optional.empty() : loop.find(name);
    }

    /// Starts the loops; they end with the group.
    public void run(TaskGroup tasks) {
        Latest<Snapshot> forNode = snapshots.get();
        Latest<Snapshot> forRoutes = snapshots.get();
        Latest<Snapshot> forPods = snapshots.get();
        tasks.keep("node", () -> {
            forNode.again();
            new NodeRegistration(config, api).run(forNode);
        });
        tasks.keep(
                "persistent-volumes",
                () -> new VolumeFolders(config.name(), api, new ClaimedFolders(api, state.volumes())).run());
        tasks.run("start-pods", () -> {
            NodeConfig placed = config.withPodCidrs(podCidrs(forPods));
            new NodeNetwork(placed).build();
            tasks.keep("routes", () -> {
                forRoutes.again();
                new RouteLoop(placed, state).run(forRoutes);
            });
            NodeParts parts = parts(placed, forPods);
            PodLoop loop = new PodLoop(parts, tasks);
            pods.set(loop);
            tasks.keep("disk", () -> new DiskWatch(state.root(), loop).run());
            tasks.keep(
                    "images",
                    () -> new ImageWatch(state.root(), parts.programming().images()).run());
            loop.adopt();
            tasks.keep("pods", () -> {
                forPods.again();
                loop.run(forPods);
            });
        });
        tasks.keep("logs", logs::run);
        tasks.keep("events", () -> events.run(api));
        tasks.keepOnPlatformThread("ends", ends::run);
    }

    /// Its own, or what the control plane gave it; waits until it has.
    private List<Cidr> podCidrs(Latest<Snapshot> snapshots) throws InterruptedException {
        List<Cidr> cidrs = config.podCidrs();
        while (cidrs.isEmpty()) {
            cidrs = snapshots
                    .take()
                    .nodes()
                    .find(new NamespacedName("", config.name()))
                    .map(Node::podCidrs)
                    .orElse(List.of());
        }
        snapshots.again();
        return cidrs;
    }

    private NodeParts parts(NodeConfig placed, Latest<Snapshot> newest) {
        List<PodRecord> records = state.records();
        Programs.unpack(state.programs());
        return new NodeParts(
                placed,
                api,
                state,
                new AddressBook(
                        placed.podCidrs(),
                        state,
                        records.stream().flatMap(r -> r.addresses().stream()).toList()),
                new PodNetwork(placed.podCidrs()),
                programming(placed),
                host(placed, newest),
                newest);
    }

    private ContainerHost host(NodeConfig placed, Latest<Snapshot> newest) {
        return new ContainerHost(
                new ContainerHost.Identity(
                        placed.name(),
                        placed.addresses(),
                        placed.settings().clusterDns(),
                        placed.settings().clusterDomain()),
                api,
                () -> newest.peek().orElse(Snapshot.EMPTY),
                state.programs(),
                new ContainerHost.Machine(
                        Cgroups.ofNode(placed.namespacePrefix()),
                        MachineFacts.memoryBytes(),
                        MachineFacts.lowestOomScore()));
    }

    private NodeParts.Programming programming(NodeConfig placed) {
        NodeSettings settings = placed.settings();
        state.openMemory();
        Path images = state.root().resolve("images");
        return new NodeParts.Programming(
                new NodeImages(
                        ImageTable.of(settings.imageTables(), settings.images().samples()),
                        new ImageStore(images, settings.images().skopeoOptions()),
                        images,
                        state.programs()),
                RuncRuntime.open(state.root()),
                ends,
                logs,
                events);
    }

    /// Lets go of the state folder; call it after the tasks ended.
    @Override
    public void close() {
        ends.close();
        state.close();
    }
}
