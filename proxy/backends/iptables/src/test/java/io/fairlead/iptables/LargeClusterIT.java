package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.NamespacedBackend;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// More than a thousand endpoints: their rules have no comments.
@RequiresRoot
final class LargeClusterIT {
    private static final int SERVICES = 10;
    private static final int ENDPOINTS = 100;

    @ParameterizedTest
    @EnumSource
    void one_endpoint_more_than_a_thousand_takes_the_comments_and_one_less_brings_them_back(Variant variant) {
        Snapshot thousand = thousand();
        ForwardingTable table = ForwardingTable.of(thousand, IptablesMachine.NODE);
        try (IptablesMachine machine = new IptablesMachine(variant);
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            Program<IptablesEntry> commented = Program.of(backend.compiler(), table);
            backend.apply(Patch.between(backend.observe(), commented));
            assertThat(machine.leftovers()).contains("\"default/service-3 -> 10.244.3.7:8080\"");

            ForwardingTable larger = table.at(thousand.with(slice(3, ENDPOINTS + 1)));
            Program<IptablesEntry> terse = commented.at(larger, backend.compiler());
            backend.apply(Patch.between(commented, terse));

            assertThat(IptablesMachine.drifted(backend)).isFalse();
            assertThat(machine.leftovers())
                    .contains("\"default/service-3 cluster IP\"")
                    .doesNotContain("->");
            checkAfterRestart(machine, terse);

            backend.apply(Patch.between(terse, terse.at(larger.at(thousand), backend.compiler())));
            assertThat(backend.observe()).isEqualTo(commented);
        }
    }

    private static void checkAfterRestart(IptablesMachine machine, Program<IptablesEntry> terse) {
        try (NamespacedBackend<IptablesEntry, IptablesBackend> restarted = machine.open()) {
            assertThat(Patch.between(restarted.observe(), terse).isEmpty()).isTrue();
            assertThat(IptablesMachine.connections(restarted))
                    .filteredOn(ConnectionCount.ToTarget.class::isInstance)
                    .hasSize(SERVICES * ENDPOINTS + 1)
                    .filteredOn(count -> count.service().service().name().equals("service-3"))
                    .hasSize(ENDPOINTS + 1);
        }
    }

    private static Snapshot thousand() {
        Snapshot snapshot = Snapshot.EMPTY;
        for (int number = 0; number < SERVICES; number++) {
            snapshot = snapshot.with(
                            Service.of(Yaml.parseAll("""
                                metadata: {namespace: default, name: service-%d}
                                spec: {clusterIP: 10.96.0.1%1$d, ports: [{port: 80}]}
                                """.formatted(number)).getFirst()))
                    .with(slice(number, ENDPOINTS));
        }
        return snapshot;
    }

    private static EndpointSlice slice(int number, int endpoints) {
        List<String> addresses = IntStream.range(0, endpoints)
                .mapToObj(i -> "{addresses: [10.244.%d.%d]}".formatted(number, i + 1))
                .toList();
        return EndpointSlice.of(
                Yaml.parseAll("""
                    metadata: {namespace: default, name: service-%d-1, labels: {kubernetes.io/service-name: service-%1$d}}
                    addressType: IPv4
                    ports: [{port: 8080}]
                    endpoints: [%s]
                    """.formatted(number, addresses.stream().collect(Collectors.joining(", "))))
                        .getFirst());
    }
}
