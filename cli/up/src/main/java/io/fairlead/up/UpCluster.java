package io.fairlead.up;

import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.Mounts;
import io.fairlead.lab.AddressPlan;
import io.fairlead.lab.LabNetwork;
import io.fairlead.lab.Remains;
import io.fairlead.lab.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// A cluster that runs: the network, the control plane, the nodes. Closing it leaves nothing but its state and
/// logs.
final class UpCluster implements AutoCloseable {
    /// For pods: by then no client is left that could still be talking to them.
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final UpConfig config;
    private final ChildCommands commands;
    private final UpConsole console;
    private final ClusterAccess access;
    private final Supervisor server;
    private final Supervisor nodes;

    UpCluster(UpConfig config, UpConsole console) {
        this.config = config;
        this.commands = new ChildCommands(config);
        this.console = console;
        // Before the control plane starts, so that it finds its keys there.
        this.access = config.keys().own(config.serverDir(), commands.apiServer());
        this.server = new Supervisor("server", console);
        this.nodes = new Supervisor("nodes", console);
    }

    /// Builds the network and starts all programs at once: those that need others wait for them.
    void start() {
        Topology topology = config.topology();
        AddressPlan plan = topology.plans().getFirst();
        LabNetwork network = LabNetwork.build(topology);
        server.keepUp(commands.server());
        topology.nodes().forEach(this::start);
        if (config.ingress()) {
            Kubeconfig.write(config.ingressDir().resolve("kubeconfig"), access);
            nodes.keepUp(commands.ingress());
        }
        network.joinHost();
        console.step("network: nodes %s, pods %s, Services %s".formatted(plan.nodes(), plan.pods(), plan.services()));
    }

    private void start(Topology.NodePlace node) {
        ClusterAccess own = config.keys().node(config.serverDir(), commands.apiServer(), node.name());
        Kubeconfig.write(config.kubeconfig(node), own);
        nodes.keepUp(commands.node(node));
    }

    /// How `up` reaches it.
    ClusterAccess access() {
        return access;
    }

    /// Throws if a program of the cluster was given up.
    void check() {
        server.check();
        nodes.check();
    }

    /// The processes, by the name of the program.
    Map<String, Long> pids() {
        Map<String, Long> all = new TreeMap<>(nodes.pids());
        all.putAll(server.pids());
        return all;
    }

    @Override
    public void close() {
        console.print("Ending the cluster.");
        // The nodes first: while they end they still have something to say to the control plane.
        try (Rest _ = new Rest();
                Supervisor _ = server;
                Supervisor _ = nodes) {
            Files.deleteIfExists(config.upFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        console.print("Nothing of it is left but its state and logs in %s.".formatted(config.dir()));
    }

    /// What is left when the programs have ended: pods, namespaces, the link.
    private final class Rest implements AutoCloseable {
        @Override
        public void close() {
            Remains.of(config.topology().name()).remove(PATIENCE);
            Mounts.below(config.dir()).forEach(Mounts::detach);
        }
    }
}
