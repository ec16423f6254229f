package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.HostPorts;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Protocol;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What becomes of host ports in the table of the proxy.
final class HostPortTest {
    @Test
    void a_host_port_is_a_node_port_that_leads_to_one_pod() {
        List<Forwarding> rows = rows(pod("{'containerPort': 80, 'hostPort': 8080}", ""));

        assertThat(rows)
                .filteredOn(row -> row.frontend().equals(new Frontend.NodePort(Family.IPV4, Protocol.TCP, 8080)))
                .singleElement()
                .satisfies(row -> assertThat(row.verdict().toString()).contains("10.1.0.5", "80"))
                .satisfies(row -> assertThat(row.verdict()).isInstanceOf(Verdict.SendTo.class));
    }

    @Test
    void one_that_names_an_address_is_open_there_alone() {
        List<Forwarding> rows = rows(pod("{'containerPort': 80, 'hostPort': 8080, 'hostIP': '192.0.2.1'}", ""));

        assertThat(rows.stream().map(Forwarding::frontend))
                .contains(new Frontend.ExternalAddress(Ip.parse("192.0.2.1"), Protocol.TCP, 8080))
                .noneMatch(frontend -> frontend instanceof Frontend.NodePort);
    }

    @Test
    void pods_on_the_nodes_network_and_pods_elsewhere_have_none() {
        assertThat(rows(pod("{'containerPort': 80, 'hostPort': 80}", ", 'hostNetwork': true")))
                .isEmpty();
        assertThat(HostPorts.shown(snapshot(pod("{'containerPort': 80, 'hostPort': 80}", "")), "another"))
                .isEqualTo(snapshot(pod("{'containerPort': 80, 'hostPort': 80}", "")));
    }

    private static List<Forwarding> rows(Pod pod) {
        return ForwardingTable.of(HostPorts.shown(snapshot(pod), "one"), NodeFacts.of("one", List.of()))
                .rows()
                .values()
                .flatMap(List::stream)
                .toList();
    }

    private static Snapshot snapshot(Pod pod) {
        return Snapshot.EMPTY.with(pod);
    }

    private static Pod pod(String port, String more) {
        return Pod.of(Json.parse("""
            {'metadata': {'namespace': 'default', 'name': 'web', 'uid': 'u'},
             'spec': {'nodeName': 'one', 'containers': [{'name': 'c', 'ports': [%s]}]%s},
             'status': {'phase': 'Running', 'podIPs': [{'ip': '10.1.0.5'}]}}\
            """.formatted(port, more).replace('\'', '"')));
    }
}
