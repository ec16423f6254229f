package io.fairlead.balancers;

import static io.fairlead.fakes.Manifests.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Write;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadBalancersTest {
    private static final AddressPools POOLS = AddressPools.parse(
            List.of("public=192.0.2.1-192.0.2.3,2001:db8::1-2001:db8::2", "office=192.0.2.10-192.0.2.11"));

    private final MemoryCluster cluster = new MemoryCluster();

    /// A Service of type LoadBalancer.
    private void put(String name, String metadata, String spec) {
        cluster.put(Manifests.service(name, ",\"type\":\"LoadBalancer\"" + spec)
                .replace("\"labels\":{\"team\":\"a\"}", "\"labels\":{\"team\":\"a\"}" + metadata));
    }

    private void put(String name) {
        put(name, "", "");
    }

    private List<Write> settle() {
        return cluster.settle(LoadBalancers.controllers(POOLS));
    }

    private void patch(String name, String patch) {
        cluster.patch(Kind.SERVICE, name(name), patch);
    }

    private Service service(String name) {
        return cluster.snapshot().services().find(name(name)).orElseThrow();
    }

    private List<String> addresses(String name) {
        return service(name).loadBalancer().ingress().stream()
                .map(Service.Ingress::ip)
                .toList();
    }

    private String problem(String name) {
        return service(name).metadata().annotations().getOrDefault("fairlead.io/load-balancer-problem", "");
    }

    private static String annotation(String key, String value) {
        return ",\"annotations\":{\"fairlead.io/%s\":\"%s\"}".formatted(key, value);
    }

    @Test
    void a_service_gets_the_finalizer_first_and_then_an_address_that_nodes_take_for_theirs() {
        put("web");

        List<Write> writes = settle();

        assertThat(writes)
                .extracting(write -> write.getClass().getSimpleName())
                .containsExactly("MergePatch", "Create", "UpdateStatus", "Report");
        assertThat(service("web").metadata().finalizers())
                .containsExactly("service.kubernetes.io/load-balancer-cleanup");
        assertThat(service("web").metadata().annotations())
                .as("so that nodes refuse its other ports")
                .containsEntry(Service.REFUSE_OTHER_PORTS, "true");
        assertThat(cluster.find(Kind.SERVICE, name("web")).path("status"))
                .isEqualTo(Json.parse("{\"loadBalancer\":{\"ingress\":[{\"ip\":\"192.0.2.1\",\"ipMode\":\"VIP\"}]}}"));
        assertThat(cluster.reports())
                .singleElement()
                .extracting(Write.Report::event)
                .extracting("type", "reason", "message")
                .containsExactly("Normal", "AddressAllocated", "the Service is reached at 192.0.2.1 from pool public");
    }

    @Test
    void services_of_other_types_and_classes_are_left_alone() {
        cluster.put(Manifests.service("plain", ""));
        put("cloud", "", ",\"loadBalancerClass\":\"example.com/cloud\"");
        put("ours", "", ",\"loadBalancerClass\":\"fairlead.io/load-balancer\"");

        settle();

        assertThat(addresses("ours")).containsExactly("192.0.2.1");
        assertThat(service("cloud").metadata().finalizers()).isEmpty();
        assertThat(service("plain").metadata().finalizers()).isEmpty();
    }

    @Test
    void without_pools_nothing_is_given_and_what_was_held_is_let_go() {
        put("old");
        settle();
        patch("old", "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
        put("new");

        cluster.settle(LoadBalancers.controllers(AddressPools.NONE));

        assertThat(service("new").metadata().finalizers()).isEmpty();
        assertThat(addresses("old")).isEmpty();
        assertThat(service("old").metadata().finalizers()).isEmpty();
    }

    @Test
    void a_deleted_service_that_another_controller_serves_keeps_its_status_and_its_finalizer() {
        put(
                "cloud",
                ",\"finalizers\":[\"service.kubernetes.io/load-balancer-cleanup\"],\"deletionTimestamp\":\"t\"",
                "");
        patch("cloud", "{\"status\":{\"loadBalancer\":{\"ingress\":[{\"ip\":\"203.0.113.7\"}]}}}");

        assertThat(settle()).isEmpty();
        assertThat(cluster.settle(LoadBalancers.controllers(AddressPools.NONE))).isEmpty();
    }

    @Test
    void who_gave_a_finalizer_of_another_class_takes_it_back_himself_when_the_type_changes() {
        put(
                "cloud",
                ",\"finalizers\":[\"service.kubernetes.io/load-balancer-cleanup\"]",
                ",\"loadBalancerClass\":\"example.com/cloud\"");
        patch("cloud", "{\"spec\":{\"type\":\"ClusterIP\",\"loadBalancerClass\":null}}"); // as the API server does

        assertThat(settle()).isEmpty();
    }

    @Test
    void a_service_that_another_controller_serves_gets_no_finalizer() {
        put("cloud");
        patch("cloud", "{\"status\":{\"loadBalancer\":{\"ingress\":[{\"ip\":\"203.0.113.7\"}]}}}");

        assertThat(settle()).isEmpty();
    }

    @Test
    void a_service_may_ask_for_an_address_by_its_field_or_by_annotation() {
        put("field", "", ",\"loadBalancerIP\":\"192.0.2.3\"");
        put("annotation", annotation("load-balancer-ips", "192.0.2.11"), "");

        settle();

        assertThat(addresses("field")).containsExactly("192.0.2.3");
        assertThat(addresses("annotation")).containsExactly("192.0.2.11");
    }

    @Test
    void a_service_may_ask_for_a_pool_and_for_another_one_later() {
        put("web", annotation("load-balancer-pool", "office"), "");
        settle();
        assertThat(addresses("web")).containsExactly("192.0.2.10");

        patch("web", "{\"metadata\":{\"annotations\":{\"fairlead.io/load-balancer-pool\":\"public\"}}}");
        settle();
        assertThat(addresses("web")).containsExactly("192.0.2.1");
    }

    @Test
    void what_cannot_be_given_is_reported_once_with_the_field_and_the_rule() {
        put("a");
        settle();
        put("taken", "", ",\"loadBalancerIP\":\"192.0.2.1\"");
        put("elsewhere", "", ",\"loadBalancerIP\":\"198.51.100.1\"");
        put("nonsense", annotation("load-balancer-ips", "web"), "");
        put("nowhere", annotation("load-balancer-pool", "x"), "");
        put("other", "", ",\"loadBalancerIP\":\"2001:db8::1\"");
        settle();

        assertThat(problem("taken")).isEqualTo("spec.loadBalancerIP: 192.0.2.1 is given to Service default/a");
        assertThat(problem("elsewhere"))
                .isEqualTo("spec.loadBalancerIP: 198.51.100.1 is in no pool; there are: public, office");
        assertThat(problem("nonsense"))
                .isEqualTo("metadata.annotations[fairlead.io/load-balancer-ips]: \"web\" is not an IP address");
        assertThat(problem("nowhere"))
                .isEqualTo("metadata.annotations[fairlead.io/load-balancer-pool]: there is no pool \"x\";"
                        + " there are: public, office");
        assertThat(problem("other"))
                .isEqualTo("spec.loadBalancerIP: 2001:db8::1 is of a family that is not in spec.ipFamilies");
        assertThat(cluster.reports())
                .filteredOn(report -> report.event().type().equals("Warning"))
                .hasSize(5);
    }

    @Test
    void an_asked_address_that_is_not_free_leaves_the_service_the_one_it_has() {
        put("a");
        put("b");
        settle();
        patch("b", "{\"spec\":{\"loadBalancerIP\":\"192.0.2.1\"}}");
        settle();
        assertThat(addresses("b")).containsExactly("192.0.2.2");

        cluster.remove(Kind.SERVICE, name("a"));
        settle();
        assertThat(addresses("b")).containsExactly("192.0.2.1");
        assertThat(problem("b")).isEmpty();
    }

    @Test
    void when_the_pool_is_empty_the_next_one_waits_and_gets_what_becomes_free() {
        for (int i = 0; i < 6; i++) {
            put("s" + i);
            settle();
        }
        assertThat(addresses("s4")).containsExactly("192.0.2.11");
        assertThat(addresses("s5")).isEmpty();
        assertThat(problem("s5"))
                .isEqualTo("no IPv4 address is free in public=192.0.2.1-192.0.2.3,2001:db8::1-2001:db8::2"
                        + " or office=192.0.2.10-192.0.2.11");

        cluster.remove(Kind.SERVICE, name("s1"));
        settle();
        assertThat(addresses("s5")).containsExactly("192.0.2.2");
        assertThat(problem("s5")).isEmpty();
    }

    @Test
    void a_service_of_two_families_gets_an_address_of_each() {
        put("web", "", ",\"ipFamilyPolicy\":\"RequireDualStack\",\"ipFamilies\":[\"IPv6\",\"IPv4\"]");
        settle();
        assertThat(addresses("web")).containsExactly("2001:db8::1", "192.0.2.1");
    }

    @Test
    void who_only_prefers_a_second_family_does_without_it() {
        put("prefers", "", ",\"ipFamilyPolicy\":\"PreferDualStack\",\"ipFamilies\":[\"IPv4\",\"IPv6\"]");
        put("requires", "", ",\"ipFamilyPolicy\":\"RequireDualStack\",\"ipFamilies\":[\"IPv4\",\"IPv6\"]");

        cluster.settle(LoadBalancers.controllers(AddressPools.parse(List.of("v4=192.0.2.0/24"))));

        assertThat(addresses("prefers")).containsExactly("192.0.2.1");
        assertThat(problem("prefers")).isEmpty();
        assertThat(addresses("requires")).containsExactly("192.0.2.2");
        assertThat(problem("requires")).isEqualTo("no pool has IPv6 addresses");
    }

    @Test
    void addresses_of_nodes_pods_services_and_external_ones_are_never_given() {
        cluster.put("""
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"spec":{"podCIDR":"192.0.2.8/29"},
             "status":{"addresses":[{"type":"InternalIP","address":"192.0.2.1"}]}}\
            """);
        cluster.put(Manifests.service("outside", ",\"externalIPs\":[\"192.0.2.2\"]"));
        put("a");
        put("b");
        put("node", "", ",\"loadBalancerIP\":\"192.0.2.1\"");
        put("pod", "", ",\"loadBalancerIP\":\"192.0.2.10\"");
        settle();

        assertThat(addresses("a")).containsExactly("192.0.2.3");
        assertThat(addresses("b")).isEmpty();
        assertThat(problem("node")).isEqualTo("spec.loadBalancerIP: 192.0.2.1 is an address of node n1");
        assertThat(problem("pod"))
                .isEqualTo("spec.loadBalancerIP: 192.0.2.10 is in 192.0.2.8/29, which is for the pods of node n1");
    }

    @Test
    void a_deleted_service_gives_its_address_back_before_it_goes() {
        put("web");
        settle();
        patch("web", "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");

        List<Write> writes = settle();

        assertThat(writes)
                .extracting(write -> write.getClass().getSimpleName())
                .containsExactly("UpdateStatus", "MergePatch");
        assertThat(addresses("web")).isEmpty();
        assertThat(service("web").metadata().finalizers()).isEmpty();
        assertThat(service("web").metadata().annotations()).doesNotContainKey(Service.REFUSE_OTHER_PORTS);
    }

    @Test
    void a_service_that_changes_its_type_is_let_go() {
        put("web");
        settle();
        patch(
                "web",
                "{\"spec\":{\"type\":\"ClusterIP\"},\"status\":{\"loadBalancer\":null}}"); // as the API server does
        put("next");
        settle();
        assertThat(service("web").metadata().finalizers()).isEmpty();
        assertThat(addresses("next")).containsExactly("192.0.2.1");
    }

    @Test
    void an_address_that_another_controller_gave_stays() {
        put("web", ",\"finalizers\":[\"service.kubernetes.io/load-balancer-cleanup\"]", "");
        patch("web", "{\"status\":{\"loadBalancer\":{\"ingress\":[{\"hostname\":\"lb.example.com\"}]}}}");
        assertThat(settle()).isEmpty();
    }

    @Test
    void of_two_services_with_one_address_the_older_keeps_it() {
        put("b");
        put("a");
        String status = "{\"status\":{\"loadBalancer\":{\"ingress\":[{\"ip\":\"192.0.2.2\",\"ipMode\":\"VIP\"}]}}}";
        patch("a", status);
        patch("b", status);
        settle();
        assertThat(addresses("b")).containsExactly("192.0.2.2");
        assertThat(addresses("a")).containsExactly("192.0.2.1");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatever_users_do_no_address_is_given_twice_and_none_is_lost(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            act(random, "s" + random.nextInt(9));
            if (random.nextInt(3) > 0) {
                settle();
                assertRight();
            }
        }
    }

    private void act(Random random, String name) {
        boolean there = cluster.names(Kind.SERVICE).contains(name(name));
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                if (!there) {
                    put(name);
                }
            }
            case 2 -> {
                if (there) {
                    cluster.remove(Kind.SERVICE, name(name));
                }
            }
            case 3 -> {
                if (there) {
                    patch(name, "{\"spec\":{\"loadBalancerIP\":\"192.0.2.%d\"}}".formatted(random.nextInt(12)));
                }
            }
            default -> {
                if (there) {
                    patch(name, "{\"spec\":{\"loadBalancerIP\":null}}");
                }
            }
        }
    }

    private void assertRight() {
        Set<String> given = new HashSet<>();
        for (NamespacedName service : cluster.names(Kind.SERVICE)) {
            addresses(service.name())
                    .forEach(ip -> assertThat(given.add(ip)).as(ip).isTrue());
            addresses(service.name())
                    .forEach(ip -> assertThat(POOLS.poolOf(Ip.parse(ip))).as(ip).isPresent());
        }
        for (NamespacedName service : cluster.names(Kind.SERVICE)) {
            boolean asks = !service(service.name()).loadBalancer().wantedIp().isEmpty();
            if (addresses(service.name()).isEmpty()) {
                assertThat(problem(service.name())).isNotEmpty();
                assertThat(asks || given.size() == 5)
                        .as("all addresses are in use: " + given)
                        .isTrue();
            }
        }
    }
}
