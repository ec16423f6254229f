package io.fairlead.node;

import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.util.List;

/// The node agent: registers the node, keeps the routes to the pods of other nodes, and runs the pods of its own.
///
/// It works in the network namespace of this JVM. When its tasks end, by [TaskGroup#close] or by a kill, the pods go
/// on; the next agent on the same state folder takes them over. [NodeCleanup] ends them.
public final class NodeAgent implements AutoCloseable {
    private final NodeConfig config;
    private final ApiClient api;
    private final Latest<Snapshot> snapshots;
    private final StateFolder state;

    /// Takes the state folder for itself; a [NodeException] says who else has it.
    public NodeAgent(NodeConfig config, ApiClient api, Latest<Snapshot> snapshots) {
        this.config = config;
        this.api = api;
        this.snapshots = snapshots;
        this.state = StateFolder.open(config.stateDirectory());
    }

    /// Builds the node's network, then starts the loops; they end with the group.
    public void run(TaskGroup tasks) {
        new NodeNetwork(config).build();
        Latest<Snapshot> forNode = new Latest<>();
        Latest<Snapshot> forRoutes = new Latest<>();
        Latest<Snapshot> forPods = new Latest<>();
        PodLoop pods = new PodLoop(parts(), tasks);
        tasks.run("node", () -> new NodeRegistration(config, api).run(forNode));
        tasks.run("routes", () -> new RouteLoop(config, state).run(forRoutes));
        tasks.run("pods", () -> pods.run(forPods));
        tasks.run("snapshots", () -> handOn(List.of(forNode, forRoutes, forPods)));
    }

    private NodeParts parts() {
        List<PodRecord> records = state.records();
        return new NodeParts(
                config,
                api,
                state,
                new AddressBook(
                        config.podCidrs(),
                        state,
                        records.stream().flatMap(r -> r.addresses().stream()).toList()),
                new PodNetwork(config.podCidrs()),
                ImageTable.builtIn(state.root().resolve("programs")));
    }

    private void handOn(List<Latest<Snapshot>> boxes) throws InterruptedException {
        while (true) {
            Snapshot snapshot = snapshots.take();
            boxes.forEach(box -> box.offer(snapshot));
        }
    }

    /// Lets go of the state folder; call it after the tasks ended.
    @Override
    public void close() {
        state.close();
    }
}
