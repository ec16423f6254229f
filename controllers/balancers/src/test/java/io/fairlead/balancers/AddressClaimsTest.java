package io.fairlead.balancers;

import static io.fairlead.fakes.Manifests.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryApiServer;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Write;
import io.fairlead.runner.WriteApplier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several control planes on one cluster, each of which sees it late, and Services and Leases not equally late.
final class AddressClaimsTest {
    private static final AddressPools POOLS =
            AddressPools.parse(List.of("public=192.0.2.1-192.0.2.3,2001:db8::1-2001:db8::2"));

    private final MemoryCluster cluster = new MemoryCluster();
    private final List<Snapshot> history = new ArrayList<>(List.of(cluster.snapshot()));

    /// One control plane: what it has seen, and what it is about to write.
    private final class Plane {
        private final List<Controller> controllers = LoadBalancers.controllers(POOLS);
        private final Deque<Write> pending = new ArrayDeque<>();
        private int services;
        private int leases;

        void look(Random random) {
            services = later(services, random);
            leases = later(leases, random);
            Snapshot seen = history.get(services);
            for (Lease lease : seen.leases().values().toList()) {
                seen = seen.without(lease);
            }
            for (Lease lease : history.get(leases).leases().values().toList()) {
                seen = seen.with(lease);
            }
            plan(controllers.get(random.nextInt(controllers.size())), seen);
        }

        /// Now and then it catches up; mostly it falls behind.
        private int later(int seen, Random random) {
            int missed = history.size() - seen;
            return seen + (random.nextInt(5) == 0 ? random.nextInt(missed) : Math.min(missed - 1, random.nextInt(3)));
        }

        private void plan(Controller controller, Snapshot seen) {
            for (NamespacedName object : controller.changed(Snapshot.EMPTY, seen)) {
                pending.addAll(controller.reconcile(object, seen, cluster.moment()));
            }
        }

        /// A write that is refused ends the plan: the Snapshot was old.
        void write() {
            try {
                cluster.apply(pending.remove());
            } catch (ApiException e) {
                assertThat(e.isConflict() || e.isNotFound()).as(e.getMessage()).isTrue();
                pending.clear();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void no_address_is_given_twice_however_late_each_sees_what_the_others_do(long seed) {
        Random random = new Random(seed);
        List<Plane> planes = List.of(new Plane(), new Plane(), new Plane());
        int given = 0;
        for (int step = 0; step < 4000; step++) {
            Plane plane = planes.get(random.nextInt(planes.size()));
            if (random.nextInt(8) == 0) {
                act(random, "s" + random.nextInt(5));
            } else if (plane.pending.isEmpty()) {
                plane.look(random);
            } else {
                plane.write();
            }
            if (!history.getLast().equals(cluster.snapshot())) {
                history.add(cluster.snapshot());
            }
            given += assertNoneTwice();
        }
        assertThat(given).as("or nothing was tried").isGreaterThan(1000);
    }

    private void act(Random random, String name) {
        boolean there = cluster.names(Kind.SERVICE).contains(name(name));
        if (!there) {
            cluster.put(Manifests.service(name, ",\"type\":\"LoadBalancer\",\"ipFamilies\":[\"IPv4\"]"));
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> cluster.remove(Kind.SERVICE, name(name)); // a user took its finalizer away
            case 1 -> patch(name, "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
            case 2 -> patch(name, "{\"spec\":{\"type\":\"ClusterIP\"},\"status\":{\"loadBalancer\":null}}");
            case 3 -> patch(name, "{\"spec\":{\"type\":\"LoadBalancer\"}}");
            case 4 -> patch(name, "{\"spec\":{\"ipFamilies\":[\"IPv4\",\"IPv6\"]}}");
            default -> patch(name, "{\"spec\":{\"ipFamilies\":[\"IPv4\"]}}");
        }
    }

    private void patch(String name, String patch) {
        cluster.patch(Kind.SERVICE, name(name), patch);
    }

    private int assertNoneTwice() {
        Map<String, NamespacedName> owners = new HashMap<>();
        cluster.snapshot()
                .services()
                .values()
                .forEach(service -> service.loadBalancer().ingress().stream()
                        .map(Service.Ingress::ip)
                        .forEach(ip -> assertThat(owners.put(ip, service.key()))
                                .as("who else has %s beside %s", ip, service.key())
                                .isNull()));
        return owners.size();
    }

    @Test
    void a_claim_is_a_lease_that_names_the_service() {
        cluster.put(Manifests.service("web", ",\"type\":\"LoadBalancer\",\"ipFamilies\":[\"IPv4\",\"IPv6\"]"));

        cluster.settle(LoadBalancers.controllers(POOLS));

        String uid = cluster.snapshot()
                .services()
                .find(name("web"))
                .orElseThrow()
                .metadata()
                .uid();
        for (String lease : List.of("load-balancer-192.0.2.1", "load-balancer-20010db8000000000000000000000001")) {
            assertThat(Json.text(
                            cluster.find(Kind.LEASE, new NamespacedName("kube-system", lease)),
                            "spec",
                            "holderIdentity"))
                    .isEqualTo(name("web") + "/" + uid);
        }
    }

    /// What a control plane sees that has heard of the claim before it heard of the Service.
    @Test
    void a_claim_of_a_service_that_only_seems_gone_is_not_taken_over() throws InterruptedException {
        try (MemoryApiServer server = new MemoryApiServer();
                ApiClient client = server.client()) {
            String balanced = ",\"type\":\"LoadBalancer\",\"ipFamilies\":[\"IPv4\"]";
            server.change(memory -> memory.put(Manifests.service("web", balanced)));
            server.change(memory -> memory.settle(LoadBalancers.controllers(POOLS)));
            server.change(memory -> memory.put(Manifests.service("late", balanced)));
            server.change(memory -> memory.settle(new LoadBalancerCleanup(POOLS)));
            Snapshot now = server.snapshot();
            Snapshot without = now.without(now.services().find(name("web")).orElseThrow());
            Write takeOver = LoadBalancerPlan.writes(POOLS, without).getFirst();
            WriteApplier applier = new WriteApplier(client);

            assertThat(takeOver).isInstanceOf(Write.TakeOver.class);
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> applier.apply(takeOver))
                    .matches(ApiException::isConflict);

            server.change(memory -> memory.remove(Kind.SERVICE, name("web")));
            applier.apply(takeOver);
            server.change(memory -> memory.settle(LoadBalancers.controllers(POOLS)));
            assertThat(server.with(memory -> memory.find(Kind.SERVICE, name("late")))
                            .toString())
                    .contains("192.0.2.1");
        }
    }

    @Test
    void who_died_after_its_claim_is_followed_by_another_with_the_same_address() {
        cluster.put(Manifests.service("web", ",\"type\":\"LoadBalancer\",\"ipFamilies\":[\"IPv4\"]"));
        List<Controller> controllers = LoadBalancers.controllers(POOLS);
        cluster.settle(controllers.getFirst());
        Write claim = controllers
                .getLast()
                .reconcile(name("web"), cluster.snapshot(), cluster.moment())
                .getFirst();
        cluster.apply(claim);
        cluster.put(Manifests.service("a-later-one", ",\"type\":\"LoadBalancer\",\"ipFamilies\":[\"IPv4\"]"));

        cluster.settle(controllers);

        assertThat(cluster.find(Kind.SERVICE, name("web")).toString()).contains("192.0.2.1");
        assertThat(cluster.find(Kind.SERVICE, name("a-later-one")).toString()).contains("192.0.2.2");
        assertThat(cluster.names(Kind.LEASE)).hasSize(2);
    }
}
