package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.BackendContract;
import io.fairlead.testkit.NamespacedBackend;
import io.fairlead.testkit.TestNamespace;
import java.util.List;
import java.util.stream.Collectors;

/// A fresh network namespace. The backend does all its work inside; `iptables-save` says what is there.
final class IptablesMachine implements BackendContract.Machine<IptablesEntry> {
    static final NodeFacts NODE = NodeFacts.of(
                    "node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/48")))
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112")));

    private final Variant variant;
    private final TestNamespace inside = new TestNamespace();

    IptablesMachine(Variant variant) {
        this.variant = variant;
    }

    @Override
    public NamespacedBackend<IptablesEntry, IptablesBackend> open() {
        return open(NODE);
    }

    NamespacedBackend<IptablesEntry, IptablesBackend> open(NodeFacts node) {
        return inside.open(() -> IptablesBackend.open(node, variant));
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
        return inside.namespace();
    }

    /// Runs `iptables` of the variant: `iptables("-t", "nat", "-F")`.
    String iptables(String... arguments) {
        return run("iptables-%s -w %s".formatted(variant, String.join(" ", arguments)));
    }

    String run(String command) {
        return inside.run(command.split(" ", -1));
    }

    @Override
    public void close() {
        inside.close();
    }

    static List<ConnectionCount> connections(NamespacedBackend<IptablesEntry, IptablesBackend> backend) {
        return backend.ask(inside -> inside.abilities().counters().orElseThrow().connections());
    }

    static List<TableRules> rules(NamespacedBackend<IptablesEntry, IptablesBackend> backend) {
        return backend.ask(IptablesBackend::rules);
    }

    static boolean drifted(NamespacedBackend<IptablesEntry, IptablesBackend> backend) {
        return backend.ask(inside -> inside.abilities().drift().orElseThrow().drifted());
    }
}
