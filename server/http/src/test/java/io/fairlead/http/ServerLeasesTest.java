package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ObjectParts;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store;
import io.fairlead.upkeep.ServerLeases;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ServerLeasesTest {
    private static final String SERVICE = "/api/v1/namespaces/default/services/kubernetes";
    private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints/kubernetes";
    private static final String SLICES =
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=kubernetes";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

    private static ApiServerConfig at(String address) {
        return ApiServerConfig.at(TestServer.ANY_PORT).withAdvertised(List.of(IpPort.parse(address)));
    }

    /// All endpoints of the Service, with their ports.
    private static List<String> addresses(TestServer server) throws Exception {
        List<String> all = new ArrayList<>();
        for (var slice : server.get(SLICES).body().path("items")) {
            int port = Json.number(slice.path("ports").path(0), 0, "port");
            for (var endpoint : slice.path("endpoints")) {
                all.add(endpoint.path("addresses").path(0).asString() + ":" + port);
            }
        }
        return all;
    }

    @Test
    void servers_that_share_a_store_are_all_endpoints_until_they_leave() throws Exception {
        SharedStore store = new SharedStore();
        try (TestServer one = TestServer.start(at("192.0.2.1:6443"), store);
                TestServer two = TestServer.start(at("192.0.2.2:7443"), store)) {
            await().untilAsserted(() -> assertThat(addresses(one)).containsExactly("192.0.2.1:6443", "192.0.2.2:7443"));
            assertThat(one.get(ENDPOINTS).body().path("subsets")).hasSize(2);
            assertThat(one.get(LEASES).names()).containsExactly("apiserver-192.0.2.1-6443", "apiserver-192.0.2.2-7443");
            two.closeServer();
            await().untilAsserted(() -> assertThat(addresses(one)).containsExactly("192.0.2.1:6443"));
        }
    }

    @Test
    void a_server_alone_writes_no_lease_and_nothing_while_nothing_changes() throws Exception {
        try (TestServer server = TestServer.start(at("192.0.2.1:6443"))) {
            assertThat(server.get(LEASES).names()).isEmpty();
            assertThat(addresses(server)).containsExactly("192.0.2.1:6443");
            String before = server.get(SERVICE).version();
            server.delete(ENDPOINTS); // what comes back shows that it has looked
            await().until(() -> server.get(ENDPOINTS).code() == 200);
            assertThat(server.get(SERVICE).version()).isEqualTo(before);
        }
    }

    @Test
    void the_service_kubernetes_comes_back_with_its_address() throws Exception {
        try (TestServer server = TestServer.start(at("192.0.2.1:6443"))) {
            var before = server.get(SERVICE);
            assertThat(server.delete(SERVICE).code()).isEqualTo(200);
            await().until(() -> server.get(SERVICE).code() == 200);
            assertThat(server.get(SERVICE).text("spec", "clusterIP")).isEqualTo(before.text("spec", "clusterIP"));
            await().until(() -> server.get(ENDPOINTS).code() == 200);
        }
    }

    @Test
    void a_server_that_no_longer_renews_its_lease_is_gone_after_its_life_by_our_own_clock() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (Store store = new SharedStore();
                TaskGroup tasks = new TaskGroup("test")) {
            WatchCache cache = cache(store, tasks);
            ObjectWrites writes = writes(store, cache);
            writes.createIfAbsent(Kind.NAMESPACE, new NamespacedName("", "kube-system"), Json.object());
            ServerLeases ours = leases(store, cache, writes, "192.0.2.1:6443", nanos);
            ServerLeases theirs = leases(store, cache, writes, "192.0.2.2:6443", nanos);
            theirs.addresses();
            assertThat(ours.addresses()).hasSize(2);
            nanos.addAndGet(ServerLeases.LIFE.toNanos() - 1);
            assertThat(ours.addresses()).hasSize(2);
            nanos.addAndGet(2);
            assertThat(ours.addresses()).containsExactly(IpPort.parse("192.0.2.1:6443"));
            assertThat(theirs.addresses()).as("it was only slow").hasSize(2);
            assertThat(ours.addresses()).hasSize(2);
        }
    }

    private static ServerLeases leases(
            Store store, WatchCache cache, ObjectWrites writes, String address, AtomicLong nanos) {
        return new ServerLeases(store, cache, writes, List.of(IpPort.parse(address)), stamp(), nanos::get);
    }

    private static WatchCache cache(Store store, TaskGroup tasks) throws InterruptedException {
        WatchCache cache = new WatchCache(store, ObjectParts.cached());
        cache.load();
        tasks.run("cache", cache::follow);
        tasks.run("patience", cache::endLongWaits);
        return cache;
    }

    private static ObjectWrites writes(Store store, WatchCache cache) {
        Stamp stamp = stamp();
        return ObjectParts.of(
                        new ObjectParts.Source(store, cache, stamp),
                        KindTable.of(stamp, false),
                        new ObjectParts.Admitting(ApiServerConfig.DEFAULT_NODE_PORTS, Optional.empty(), List.of()))
                .writes();
    }

    private static Stamp stamp() {
        return new Stamp(InstantSource.system(), new SecureRandom());
    }
}
