package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.BackendContract;
import java.util.List;
import java.util.stream.Collectors;

/// A fresh network namespace. The backend does all its work inside; `iptables-save` says what is there.
final class NamespaceMachine implements BackendContract.Machine<IptablesEntry> {
    static final NodeFacts NODE = NodeFacts.of(
                    "node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/48")))
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112")));

    private final Variant variant;
    private final NetworkNamespace namespace =
            NetworkNamespace.create("flipt" + ProcessHandle.current().pid());

    NamespaceMachine(Variant variant) {
        this.variant = variant;
    }

    @Override
    public Inside open() {
        return open(NODE);
    }

    Inside open(NodeFacts node) {
        return new Inside(namespace.call(() -> IptablesBackend.open(node, variant)));
    }

    /// All that is there of KUBE- chains, but not of what the tests themselves name so.
    @Override
    public String leftovers() {
        return (run("iptables-%s-save".formatted(variant)) + run("ip6tables-%s-save".formatted(variant)))
                .lines()
                .filter(line -> line.contains("KUBE-"))
                .collect(Collectors.joining("\n"));
    }

    NetworkNamespace namespace() {
        return namespace;
    }

    /// Runs `iptables` of the variant: `iptables("-t", "nat", "-F")`.
    String iptables(String... arguments) {
        return run("iptables-%s -w %s".formatted(variant, String.join(" ", arguments)));
    }

    String run(String command) {
        Command.Result result = namespace.call(() -> Command.run(List.of(command.split(" ", -1)), ""));
        if (!result.succeeded()) {
            throw new AssertionError("%s: %s".formatted(command, result.errors()));
        }
        return result.output();
    }

    @Override
    public void close() {
        namespace.delete();
    }

    final class Inside implements Backend<IptablesEntry> {
        private final IptablesBackend backend;

        Inside(IptablesBackend backend) {
            this.backend = backend;
        }

        @Override
        public Support support() {
            return namespace.call(backend::support);
        }

        @Override
        public Compiler<IptablesEntry> compiler() {
            return backend.compiler();
        }

        @Override
        public Program<IptablesEntry> observe(Extent extent) {
            return namespace.call(() -> backend.observe(extent));
        }

        @Override
        public Abilities abilities() {
            return Abilities.DURABLE.withDrift(this::drifted).withCounters(this::connections);
        }

        @Override
        public void apply(Patch<IptablesEntry> patch) {
            namespace.run(() -> backend.apply(patch));
        }

        List<ConnectionCount> connections() {
            return namespace.call(
                    () -> backend.abilities().counters().orElseThrow().connections());
        }

        List<TableRules> rules() {
            return backend.rules();
        }

        boolean drifted() {
            return namespace.call(
                    () -> backend.abilities().drift().orElseThrow().drifted());
        }

        @Override
        public void close() {
            backend.close();
        }
    }
}
