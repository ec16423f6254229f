package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveFlowsTest {
    private static final NodeFacts NODE = NodeFacts.of("n1", List.of()).withAddresses(List.of(Ip.parse("192.0.2.1")));
    private static final IpPort VIP = IpPort.parse("10.96.0.10:53");
    private static final IpPort NODE_PORT = IpPort.parse("192.0.2.1:30053");
    private static final IpPort ONE = IpPort.parse("10.1.0.1:5353");
    private static final IpPort TWO = IpPort.parse("10.1.0.2:5353");

    private static KubernetesObject service() {
        return Service.of(Json.parse("""
            {"metadata":{"name":"dns","namespace":"default"},
             "spec":{"type":"NodePort","clusterIP":"10.96.0.10","clusterIPs":["10.96.0.10"],
                     "ports":[{"name":"dns","protocol":"UDP","port":53,"nodePort":30053}]}}\
            """));
    }

    private static KubernetesObject slice(String endpoints) {
        return EndpointSlice.of(Json.parse("""
            {"metadata":{"name":"dns-1","namespace":"default","labels":{"kubernetes.io/service-name":"dns"}},
             "addressType":"IPv4","ports":[{"name":"dns","protocol":"UDP","port":5353}],
             "endpoints":[%s]}\
            """.formatted(endpoints)));
    }

    private static String endpoint(String ip, boolean ready, boolean serving) {
        return """
            {"addresses":["%s"],"conditions":{"ready":%s,"serving":%s,"terminating":%s}}\
            """.formatted(ip, ready, serving, !ready);
    }

    private static ForwardingTable table(KubernetesObject... objects) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (KubernetesObject object : objects) {
            snapshot = snapshot.with(object);
        }
        return ForwardingTable.of(snapshot, NODE);
    }

    private static final ForwardingTable BOTH =
            table(service(), slice(endpoint("10.1.0.1", true, true) + "," + endpoint("10.1.0.2", true, true)));

    @Test
    void the_flows_of_an_endpoint_that_is_gone_are_stale_and_those_of_the_others_live() {
        ForwardingTable now = table(service(), slice(endpoint("10.1.0.1", true, true)));
        LiveFlows flows = LiveFlows.between(BOTH, now);
        assertThat(flows.isStale(VIP, TWO)).isTrue();
        assertThat(flows.isStale(VIP, ONE)).isFalse();
        assertThat(flows.isStale(NODE_PORT, TWO)).isTrue();
        assertThat(flows.isStale(NODE_PORT, ONE)).isFalse();
    }

    @Test
    void an_endpoint_that_ends_but_serves_keeps_its_flows_until_it_is_gone() {
        ForwardingTable ending =
                table(service(), slice(endpoint("10.1.0.1", true, true) + "," + endpoint("10.1.0.2", false, true)));
        assertThat(LiveFlows.between(BOTH, ending).isStale(VIP, TWO)).isFalse();
        ForwardingTable gone = table(service(), slice(endpoint("10.1.0.1", true, true)));
        assertThat(ending.rows()).isEqualTo(gone.rows());
        assertThat(LiveFlows.between(ending, gone).isStale(VIP, TWO)).isTrue();
    }

    @Test
    void no_flow_lives_to_a_service_without_endpoints() {
        LiveFlows flows = LiveFlows.between(BOTH, table(service(), slice("")));
        assertThat(flows.isStale(VIP, ONE)).isTrue();
        assertThat(flows.isStale(VIP, VIP)).isTrue();
    }

    @Test
    void no_flow_lives_to_a_service_that_is_gone() {
        LiveFlows flows = LiveFlows.between(BOTH, table());
        assertThat(flows.isStale(VIP, ONE)).isTrue();
        assertThat(flows.isStale(NODE_PORT, ONE)).isTrue();
    }

    @Test
    void no_flow_lives_to_any_address_of_a_service_that_is_gone() {
        KubernetesObject outside = Service.of(Json.parse("""
            {"metadata":{"name":"dns","namespace":"default"},
             "spec":{"type":"LoadBalancer","clusterIP":"10.96.0.10","clusterIPs":["10.96.0.10"],
                     "externalIPs":["203.0.113.5"],
                     "ports":[{"name":"dns","protocol":"UDP","port":53,"nodePort":30053}]},
             "status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.6","ipMode":"VIP"}]}}}\
            """));
        LiveFlows flows = LiveFlows.between(table(outside, slice(endpoint("10.1.0.1", true, true))), table());
        for (String place : List.of("10.96.0.10:53", "203.0.113.5:53", "203.0.113.6:53", "192.0.2.1:30053")) {
            assertThat(flows.isStale(IpPort.parse(place), ONE)).as(place).isTrue();
        }
        assertThat(flows.isStale(IpPort.parse("203.0.113.5:54"), ONE)).isFalse();
    }

    @Test
    void no_flow_lives_to_the_node_port_of_a_service_that_has_none_any_more() {
        KubernetesObject inside = Service.of(Json.parse("""
            {"metadata":{"name":"dns","namespace":"default"},
             "spec":{"type":"ClusterIP","clusterIP":"10.96.0.10","clusterIPs":["10.96.0.10"],
                     "ports":[{"name":"dns","protocol":"UDP","port":53}]}}\
            """));
        ForwardingTable now =
                table(inside, slice(endpoint("10.1.0.1", true, true) + "," + endpoint("10.1.0.2", true, true)));
        LiveFlows flows = LiveFlows.between(BOTH, now);
        assertThat(flows.isStale(NODE_PORT, ONE)).isTrue();
        assertThat(flows.isStale(IpPort.parse("127.0.0.1:30053"), ONE)).isTrue();
        assertThat(flows.isStale(VIP, ONE)).isFalse();
    }

    @Test
    void a_flow_to_localhost_that_began_before_the_node_port_was_there_is_led_anew() {
        IpPort localhost = IpPort.parse("127.0.0.1:30053");
        assertThat(LiveFlows.between(table(), BOTH).isStale(localhost, localhost))
                .isTrue();
    }

    @Test
    void a_flow_that_began_before_the_service_was_there_is_led_anew() {
        assertThat(LiveFlows.between(table(), BOTH).isStale(VIP, VIP)).isTrue();
        assertThat(LiveFlows.between(table(), BOTH).isStale(NODE_PORT, NODE_PORT))
                .isTrue();
    }

    @Test
    void flows_to_elsewhere_are_not_touched() {
        LiveFlows flows = LiveFlows.between(table(), BOTH);
        IpPort other = IpPort.parse("198.51.100.7:53");
        IpPort otherNode = IpPort.parse("192.0.2.2:30053");
        assertThat(flows.isStale(other, other)).isFalse();
        assertThat(flows.isStale(otherNode, otherNode)).isFalse();
    }

    @Test
    void an_attempt_to_reach_an_endpoint_that_is_gone_is_stale_and_all_others_are_left_alone() {
        ForwardingTable table = table(service(), slice(endpoint("10.1.0.1", true, true)));
        IpPort other = IpPort.parse("198.51.100.7:53");
        LiveFlows attempts = LiveFlows.at(table, Protocol.UDP, List.of(VIP, NODE_PORT, other));
        assertThat(attempts.isStale(VIP, TWO)).isTrue();
        assertThat(attempts.isStale(VIP, VIP)).as("made before the Service was").isTrue();
        assertThat(attempts.isStale(VIP, ONE)).isFalse();
        assertThat(attempts.isStale(NODE_PORT, TWO)).isTrue();
        assertThat(attempts.isStale(other, TWO)).isFalse();
        assertThat(LiveFlows.at(table, Protocol.TCP, List.of(VIP)).isStale(VIP, TWO))
                .as("another protocol is another frontend")
                .isFalse();
    }

    @Test
    void a_change_of_another_service_is_no_reason_to_look() {
        assertThat(LiveFlows.between(BOTH, BOTH).isEmpty()).isTrue();
    }
}
