package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Protocol;
import io.fairlead.api.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HostPortRowsTest {
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
    void one_that_names_an_address_of_the_node_is_open_there_alone() {
        List<Forwarding> rows = rows(pod("{'containerPort': 80, 'hostPort': 8080, 'hostIP': '192.0.2.1'}", ""));

        assertThat(rows)
                .extracting(Forwarding::frontend)
                .containsExactly(new Frontend.ExternalAddress(Ip.parse("192.0.2.1"), Protocol.TCP, 8080));
    }

    @Test
    void one_that_names_another_address_is_open_nowhere() {
        assertThat(rows(pod("{'containerPort': 80, 'hostPort': 8080, 'hostIP': '10.96.0.1'}", "")))
                .isEmpty();
    }

    @Test
    void pods_on_the_nodes_network_and_pods_elsewhere_have_none() {
        Pod pod = pod("{'containerPort': 80, 'hostPort': 80}", "");
        assertThat(rows(pod("{'containerPort': 80, 'hostPort': 80}", ", 'hostNetwork': true")))
                .isEmpty();
        assertThat(ForwardingTable.of(snapshot(pod), NodeFacts.of("another", List.of()))
                        .all())
                .isEmpty();
    }

    @Test
    void the_rows_go_with_the_pod() {
        Pod pod = pod("{'containerPort': 80, 'hostPort': 80}", "");
        ForwardingTable table = ForwardingTable.of(snapshot(pod), NODE);
        assertThat(table.all()).hasSize(1);
        assertThat(table.at(snapshot(pod).without(pod)).all()).isEmpty();
    }

    @Test
    void a_udp_flow_of_a_host_port_goes_on_while_its_pod_is_there() {
        Pod pod = pod("{'containerPort': 53, 'hostPort': 53, 'protocol': 'UDP'}", "");
        ForwardingTable with = ForwardingTable.of(snapshot(pod), NODE);
        ForwardingTable without = with.at(snapshot(pod).without(pod));
        IpPort node = IpPort.parse("192.0.2.1:53");
        IpPort inPod = IpPort.parse("10.1.0.5:53");
        assertThat(LiveFlows.between(without, with).isStale(node, inPod)).isFalse();
        assertThat(LiveFlows.between(with, without).isStale(node, inPod)).isTrue();
    }

    private static final NodeFacts NODE = NodeFacts.of("one", List.of()).withAddresses(List.of(Ip.parse("192.0.2.1")));

    private static List<Forwarding> rows(Pod pod) {
        return ForwardingTable.of(snapshot(pod), NODE).all().toList();
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
