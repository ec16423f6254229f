package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.ServicePolicies.FamilyPolicy;
import io.fairlead.api.ServicePolicies.TrafficDistribution;
import io.fairlead.api.ServicePolicies.TrafficPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What the views of Service, EndpointSlice, Node and selectors read out of objects.
final class ViewTest {
    @Test
    void a_service_that_says_nothing_has_the_usual_policies() {
        Service service = Service.of(json("""
            {"spec": {"clusterIP": "10.0.0.1", "ports": [{"port": 80}]}}
            """));
        assertThat(service.policies()).isSameAs(ServicePolicies.USUAL);
        assertThat(service.loadBalancer()).isEqualTo(Service.LoadBalancer.NONE);
        assertThat(service.externalIps()).isEmpty();
    }

    @Test
    void a_service_tells_its_policies() {
        Service service = Service.of(json("""
            {
              "spec": {
                "internalTrafficPolicy": "Local",
                "externalTrafficPolicy": "Local",
                "sessionAffinity": "ClientIP",
                "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}},
                "trafficDistribution": "PreferSameNode",
                "ipFamilyPolicy": "RequireDualStack",
                "ipFamilies": ["IPv6", "IPv4"],
                "healthCheckNodePort": 30500,
                "externalIPs": ["192.0.2.7"],
                "ports": [{"port": 80, "appProtocol": "kubernetes.io/h2c"}]
              }
            }
            """));
        assertThat(service.policies())
                .isEqualTo(new ServicePolicies(
                        TrafficPolicy.LOCAL,
                        TrafficPolicy.LOCAL,
                        Duration.ofMinutes(1),
                        TrafficDistribution.SAME_NODE,
                        FamilyPolicy.REQUIRE_DUAL_STACK,
                        30500));
        assertThat(service.families()).containsExactly(Family.IPV6, Family.IPV4);
        assertThat(service.externalIps()).containsExactly(Ip.parse("192.0.2.7"));
        assertThat(service.ports().getFirst().appProtocol()).isEqualTo("kubernetes.io/h2c");
    }

    @Test
    void only_the_addresses_of_a_balancer_that_keeps_destinations_are_vips() {
        Service service = Service.of(json("""
            {
              "spec": {
                "type": "LoadBalancer",
                "loadBalancerSourceRanges": [" 10.0.0.0/8 "],
                "loadBalancerClass": "example.com/lb"
              },
              "status": {
                "loadBalancer": {"ingress": [{"ip": "192.0.2.1"}, {"ip": "192.0.2.2", "ipMode": "Proxy"}, {"hostname": "lb.example.com"}]}
              }
            }
            """));
        assertThat(service.loadBalancer().vips()).containsExactly(Ip.parse("192.0.2.1"));
        assertThat(service.loadBalancer().ingress()).hasSize(3);
        assertThat(service.loadBalancer().sourceRanges()).containsExactly(Cidr.parse("10.0.0.0/8"));
        assertThat(service.loadBalancer().loadBalancerClass()).isEqualTo("example.com/lb");
    }

    @Test
    void an_endpoint_tells_its_place_and_whom_it_is_meant_for() {
        EndpointSlice slice = EndpointSlice.of(json("""
            {
              "addressType": "IPv4",
              "ports": [{"name": "http", "port": 80, "appProtocol": "http"}],
              "endpoints": [
                {"addresses": ["10.1.0.1"], "zone": "a", "hostname": "web-0", "hints": {"forZones": [{"name": "a"}, {"name": "b"}], "forNodes": [{"name": "n1"}]}},
                {"addresses": ["10.1.0.2"]}
              ]
            }
            """));
        EndpointSlice.Endpoint first = slice.endpoints().getFirst();
        assertThat(first.hints()).isEqualTo(new EndpointSlice.Hints(List.of("a", "b"), List.of("n1")));
        assertThat(first.zone()).isEqualTo("a");
        assertThat(first.hostname()).isEqualTo("web-0");
        assertThat(slice.endpoints().getLast().hints()).isSameAs(EndpointSlice.Hints.NONE);
        assertThat(slice.ports().getFirst().appProtocol()).isEqualTo("http");
    }

    @Test
    void a_node_tells_its_zone_taints_addresses_and_cpus() {
        Node node = Node.of(json("""
            {
              "metadata": {
                "name": "n1",
                "labels": {"topology.kubernetes.io/zone": "a"},
                "generation": 3,
                "finalizers": ["x/y"]
              },
              "spec": {
                "podCIDRs": ["10.1.0.0/24", "fd00:1::/64"],
                "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]
              },
              "status": {
                "allocatable": {"cpu": "3500m"},
                "addresses": [{"type": "InternalIP", "address": "172.31.0.1"}, {"type": "ExternalIP", "address": "192.0.2.9"}]
              }
            }
            """));
        assertThat(node.zone()).isEqualTo("a");
        assertThat(node.taints()).containsExactly(new Node.Taint("k", "v", "NoSchedule", ""));
        assertThat(node.internalIps()).containsExactly(Ip.parse("172.31.0.1"));
        assertThat(node.externalIps()).containsExactly(Ip.parse("192.0.2.9"));
        assertThat(node.cpuMillis()).isEqualTo(3500);
        assertThat(node.metadata().generation()).isEqualTo(3);
        assertThat(node.metadata().finalizers()).containsExactly("x/y");
    }

    @Test
    void the_lasting_containers_of_a_pod_are_its_containers_and_its_sidecars() {
        Pod pod = Pod.of(json("""
            {
              "spec": {
                "hostname": "web-0",
                "subdomain": "web",
                "containers": [{"name": "main"}],
                "initContainers": [{"name": "setup"}, {"name": "mesh", "restartPolicy": "Always"}]
              }
            }
            """));
        assertThat(pod.spec().lastingContainers())
                .extracting(Pod.Container::name)
                .containsExactly("main", "mesh");
        assertThat(pod.spec().hostname()).isEqualTo("web-0");
        assertThat(pod.spec().subdomain()).isEqualTo("web");
    }

    @Test
    void a_selector_is_written_as_it_was_read() {
        var tree = json("""
            {
              "matchLabels": {"app": "web"},
              "matchExpressions": [
                {"key": "tier", "operator": "NotIn", "values": ["a", "b"]},
                {"key": "old", "operator": "DoesNotExist", "values": []}
              ]
            }
            """);
        assertThat(LabelSelector.of(tree).tree()).isEqualTo(tree);
    }

    private static JsonNode json(String text) {
        return Json.parse(text);
    }
}
