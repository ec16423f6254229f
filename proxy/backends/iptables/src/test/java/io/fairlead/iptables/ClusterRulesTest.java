package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.yaml.Yaml;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// From objects to what becomes of packets, where the forwarding table and the rules have to agree on more than
/// a row.
final class ClusterRulesTest {
    private static final Ip OWN = Ip.parse("10.210.0.11");
    private static final NodeFacts NODE = NodeFacts.of("node-a", List.of(Cidr.parse("10.244.0.0/16")))
            .withAddresses(List.of(OWN))
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16")));
    private static final EndpointSlice POD = EndpointSlice.of(parse("""
        metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        ports: [{port: 8080}]
        endpoints: [{addresses: [10.244.2.2], nodeName: node-b}]
        """));

    @Test
    void each_of_two_load_balancer_addresses_may_reach_itself() {
        Service web = Service.of(parse("""
            metadata: {namespace: default, name: web}
            spec:
              type: LoadBalancer
              clusterIP: 10.96.0.10
              loadBalancerSourceRanges: [10.210.0.0/24, 198.51.100.0/24]
              ports: [{port: 80}]
            status: {loadBalancer: {ingress: [{ip: 203.0.113.1}, {ip: 203.0.113.2}]}}
            """));
        for (boolean answered : List.of(true, false)) {
            IptablesTracer rules = answered ? rules(web, POD) : rules(web);
            Trace passed = answered ? delivered() : new Trace.Refused();
            for (String vip : List.of("203.0.113.1", "203.0.113.2")) {
                assertThat(rules.trace(packet("198.51.100.7", vip, 80))).isEqualTo(passed);
                assertThat(rules.trace(packet(vip, vip, 80))).as(vip).isEqualTo(passed);
                assertThat(rules.trace(packet("203.0.113.3", vip, 80))).isEqualTo(new Trace.Dropped());
            }
            assertThat(rules.trace(packet("203.0.113.1", "203.0.113.2", 80)))
                    .as("the one is no source of the other")
                    .isEqualTo(new Trace.Dropped());
        }
    }

    @Test
    void another_port_of_a_cluster_ip_is_refused_also_outside_of_the_known_service_networks() {
        for (String policy : List.of("Cluster", "Local")) {
            IptablesTracer rules = rules(Service.of(parse("""
                metadata: {namespace: default, name: web}
                spec: {clusterIP: 10.97.0.10, internalTrafficPolicy: %s, ports: [{port: 80}]}
                """.formatted(policy))), POD);
            Trace known = policy.equals("Local") ? new Trace.Dropped() : delivered();
            assertThat(rules.trace(packet("198.51.100.7", "10.97.0.10", 80))).isEqualTo(known);
            assertThat(rules.trace(packet("198.51.100.7", "10.97.0.10", 81))).isEqualTo(new Trace.Refused());
            assertThat(rules.trace(packet("198.51.100.7", "10.97.0.11", 80))).isEqualTo(new Trace.Untouched());
        }
    }

    private static IptablesTracer rules(Service service, EndpointSlice... slices) {
        Snapshot snapshot = Snapshot.EMPTY.with(service);
        for (EndpointSlice slice : slices) {
            snapshot = snapshot.with(slice);
        }
        ForwardingTable table = ForwardingTable.of(snapshot, NODE);
        return new IptablesTracer(IptablesCompilerTest.program(table, NODE), NODE.addresses());
    }

    private static Trace delivered() {
        return Trace.Delivered.to(Set.of(new Delivery(IpPort.parse("10.244.2.2:8080"), true)));
    }

    private static Packet packet(String source, String destination, int port) {
        return new Packet(Ip.parse(source), new IpPort(Ip.parse(destination), port), Protocol.TCP, Entrance.INTERFACE);
    }

    private static JsonNode parse(String yaml) {
        return Yaml.parseAll(yaml).getFirst();
    }
}
