package io.fairlead.kinds;

import static io.fairlead.kinds.ServiceDefaultsTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an update keeps, and what it drops (A6, A8, A16).
final class ServiceUpdateTest {
    private static JsonNode updated(String old, String spec) {
        ObjectNode service = yaml("spec: " + spec);
        ServiceUpdate.carryOver(yaml("spec: " + old), service);
        return service.path("spec");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // left out: kept
                "{type: ClusterIP}|{type: ClusterIP, clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5, 'fd00::5'], ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack}",
                "{clusterIP: 10.0.0.5}|{clusterIP: 10.0.0.5, type: ClusterIP, clusterIPs: [10.0.0.5, 'fd00::5'], ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack}",
                // a client that knows only the first field means that
                "{clusterIP: 10.0.0.6, clusterIPs: [10.0.0.5, 'fd00::5']}|{clusterIP: 10.0.0.6, clusterIPs: [10.0.0.6], type: ClusterIP, ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack}",
                // a single family is the first one
                "{ipFamilyPolicy: SingleStack}|{ipFamilyPolicy: SingleStack, type: ClusterIP, clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5], ipFamilies: [IPv4]}",
                "{ipFamilyPolicy: SingleStack, clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5, 'fd00::5'], ipFamilies: [IPv4, IPv6]}|{ipFamilyPolicy: SingleStack, clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5], ipFamilies: [IPv4], type: ClusterIP}",
                // an ExternalName has none, unless the client says otherwise and is refused for it
                "{type: ExternalName, externalName: a.b}|{type: ExternalName, externalName: a.b}",
                "{type: ExternalName, clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5, 'fd00::5'], ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack}|{type: ExternalName}",
                "{type: ExternalName, clusterIPs: [10.0.0.7]}|{type: ExternalName, clusterIPs: [10.0.0.7]}",
            })
    void addresses_are_kept_and_dropped(String spec, String expected) {
        String old = "{type: ClusterIP, clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5, 'fd00::5'],"
                + " ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack}";
        assertThat(updated(old, spec)).isEqualTo(yaml(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{type: NodePort, ports: [{name: a}, {name: b}]}|[{name: a, nodePort: 30001}, {name: b, nodePort: 30002}]",
                "{type: NodePort, ports: [{name: b}, {name: c}]}|[{name: b, nodePort: 30002}, {name: c}]",
                "{type: NodePort, ports: [{name: a, nodePort: 30002}, {name: b}]}|[{name: a, nodePort: 30002}, {name: b}]",
                "{type: NodePort, ports: [{name: a, protocol: UDP}]}|[{name: a, protocol: UDP, nodePort: 30001}]",
                "{type: LoadBalancer, ports: [{name: a}]}|[{name: a, nodePort: 30001}]",
                "{type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{name: a}, {name: b, nodePort: 30002}]}|[{name: a}, {name: b, nodePort: 30002}]",
                "{type: ClusterIP, ports: [{name: a, nodePort: 30001}, {name: b, nodePort: 30002}]}|[{name: a}, {name: b}]",
                "{type: ClusterIP, ports: [{name: a, nodePort: 30001}, {name: b, nodePort: 30005}]}|[{name: a, nodePort: 30001}, {name: b, nodePort: 30005}]",
                "{type: ExternalName, ports: [{name: a, nodePort: 30001}]}|[{name: a}]",
            })
    void node_ports_go_by_the_names_of_ports(String spec, String ports) {
        String old = "{type: NodePort, ports: [{name: a, nodePort: 30001}, {name: b, nodePort: 30002}]}";
        assertThat(updated(old, spec).path("ports"))
                .isEqualTo(yaml("ports: " + ports).path("ports"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{type: LoadBalancer, externalTrafficPolicy: Local}|{type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30009}",
                "{type: LoadBalancer, externalTrafficPolicy: Cluster, healthCheckNodePort: 30009}|{type: LoadBalancer, externalTrafficPolicy: Cluster}",
                "{type: LoadBalancer, externalTrafficPolicy: Cluster, healthCheckNodePort: 30010}|{type: LoadBalancer, externalTrafficPolicy: Cluster, healthCheckNodePort: 30010}",
                "{type: NodePort, externalTrafficPolicy: Local, healthCheckNodePort: 30009, allocateLoadBalancerNodePorts: true, loadBalancerClass: a/b, loadBalancerSourceRanges: [10.0.0.0/8]}|{type: NodePort, externalTrafficPolicy: Local}",
                "{type: ClusterIP, externalTrafficPolicy: Local}|{type: ClusterIP}",
                "{type: ClusterIP, externalTrafficPolicy: Cluster}|{type: ClusterIP, externalTrafficPolicy: Cluster}",
                "{type: ClusterIP, loadBalancerClass: a/c}|{type: ClusterIP, loadBalancerClass: a/c}",
            })
    void what_a_type_lacks_goes_if_the_client_did_not_touch_it(String spec, String expected) {
        String old = "{type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30009,"
                + " allocateLoadBalancerNodePorts: true, loadBalancerClass: a/b, loadBalancerSourceRanges: [10.0.0.0/8]}";
        assertThat(updated(old, spec)).isEqualTo(yaml(expected));
    }

    @Test
    void who_is_no_load_balancer_any_more_has_no_address_of_one() {
        ObjectNode service = yaml("{spec: {type: NodePort}, status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}}");
        ServiceUpdate.carryOver(yaml("{spec: {type: LoadBalancer}}"), service);
        assertThat(service.path("status")).isEqualTo(yaml("loadBalancer: {}"));
    }
}
