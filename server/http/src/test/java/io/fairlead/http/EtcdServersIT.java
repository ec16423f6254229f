package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.access.Credential;
import io.fairlead.access.Pki;
import io.fairlead.access.ServerNames;
import io.fairlead.access.Subject;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.StoreLocation;
import io.fairlead.testkit.EtcdCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several servers on one etcd, and an etcd that goes away.
@Timeout(120)
final class EtcdServersIT {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String NODE_PORT = "\"type\":\"NodePort\",\"ports\":[{\"port\":80}]";

    private static TestServer start(EtcdCluster cluster) throws InterruptedException {
        Store store = StoreLocation.parse("etcd:" + cluster.addresses()).open();
        return TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
    }

    @Test
    void what_one_server_was_answered_the_other_shows_at_once() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                TestServer one = start(cluster);
                TestServer two = start(cluster)) {
            for (int i = 0; i < 50; i++) {
                String name = "web-" + i;
                assertThat(one.post(SERVICES, Bodies.service(name, NODE_PORT)).code())
                        .isEqualTo(201);
                assertThat(two.get(SERVICES + "/" + name).code()).isEqualTo(200);
                assertThat(two.get(SERVICES).names()).contains(name);
                assertThat(two.delete(SERVICES + "/" + name).code()).isEqualTo(200);
                assertThat(one.get(SERVICES + "/" + name).code()).isEqualTo(404);
            }
        }
    }

    @Test
    void no_server_refuses_a_write_by_what_another_has_changed_already() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                TestServer one = start(cluster);
                TestServer two = start(cluster)) {
            for (int i = 0; i < 30; i++) {
                String maps = "/api/v1/namespaces/n" + i + "/configmaps";
                String map = "{\"metadata\":{\"name\":\"m\"}}";
                assertThat(one.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"n" + i + "\"}}")
                                .code())
                        .isEqualTo(201);
                TestServer.Reply made = two.post(maps, map);
                assertThat(made.code())
                        .as("a namespace of the other: " + made.message())
                        .isEqualTo(201);
                TestServer.Reply patched = one.merge(maps + "/m", "{\"data\":{\"a\":\"1\"}}");
                assertThat(patched.code()).isEqualTo(200);
                TestServer.Reply put = two.put(maps + "/m", patched.body().toString());
                assertThat(put.code())
                        .as("a version of the other: " + put.message())
                        .isEqualTo(200);
                assertThat(one.delete(maps + "/m").code()).isEqualTo(200);
                assertThat(two.post(maps, map).code())
                        .as("a name that the other freed")
                        .isEqualTo(201);
                assertThat(one.delete("/api/v1/namespaces/n" + i).code()).isEqualTo(200);
                int late = two.post(maps, "{\"metadata\":{\"name\":\"late\"}}").code();
                assertThat(late).as("nothing new where the other deletes").isIn(403, 404);
            }
        }
    }

    @Test
    void an_etcd_with_tls_lets_in_who_shows_a_certificate_of_its_authority(@TempDir Path dir) throws Exception {
        Pki pki = Pki.open(dir.resolve("pki"));
        pki.serverCredential(ServerNames.ofApiServer(List.of(), Set.of(Ip.parse("127.0.0.1"))));
        EtcdCluster.Tls member = files(dir.resolve("pki"), "server");
        Credential client = pki.issueClient(Subject.administrator());
        Files.writeString(dir.resolve("pki/client.crt"), client.certificatePem());
        Files.writeString(dir.resolve("pki/client.key"), client.keyPem());
        EtcdCluster.Tls ours = files(dir.resolve("pki"), "client");
        try (EtcdCluster cluster = EtcdCluster.startSecure(member, ours)) {
            String where = "etcd:" + cluster.addresses() + "?ca=" + ours.ca();
            assertThatThrownBy(() -> StoreLocation.parse(where).open()).isInstanceOf(StoreException.class);
            String known = where + "&cert=" + ours.cert() + "&key=" + ours.key();
            Store store = StoreLocation.parse(known).open();
            try (TestServer server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
                    WatchReader watch = server.watch(SERVICES + "?resourceVersion="
                            + server.get(SERVICES).version())) {
                server.post(SERVICES, Bodies.service("safe", NODE_PORT));
                assertThat(watch.next(1)).containsExactly("ADDED safe");
            }
        }
    }

    private static EtcdCluster.Tls files(Path dir, String name) {
        return new EtcdCluster.Tls(dir.resolve("ca.crt"), dir.resolve(name + ".crt"), dir.resolve(name + ".key"));
    }

    @Test
    void two_servers_never_give_one_address_or_node_port_twice() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                TestServer one = start(cluster);
                TestServer two = start(cluster);
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<TestServer.Reply>> creates = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                TestServer server = i % 2 == 0 ? one : two;
                String name = "web-" + i;
                creates.add(() -> server.post(SERVICES, Bodies.service(name, NODE_PORT)));
            }
            List<String> addresses = new ArrayList<>();
            List<Integer> ports = new ArrayList<>();
            for (Future<TestServer.Reply> created : executor.invokeAll(creates)) {
                assertThat(created.get().code()).isEqualTo(201);
                addresses.add(created.get().text("spec", "clusterIP"));
                ports.add(Json.number(
                        created.get().body().path("spec").path("ports").path(0), 0, "nodePort"));
            }
            assertThat(addresses).doesNotHaveDuplicates().hasSize(200);
            assertThat(ports).doesNotHaveDuplicates().hasSize(200);
        }
    }

    @Test
    void an_etcd_that_is_away_is_a_503_and_when_it_is_back_the_server_and_its_watches_go_on() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                TestServer server = start(cluster);
                HttpClient http = HttpClient.newHttpClient();
                WatchReader watch = server.watch(
                        SERVICES + "?resourceVersion=" + server.get(SERVICES).version())) {
            cluster.kill();
            server.post(SERVICES, Bodies.service("lost", NODE_PORT)); // it may have been on its way
            HttpResponse<String> away = post(http, server, "away");
            assertThat(away.statusCode()).isEqualTo(503);
            assertThat(away.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(server.get(SERVICES + "?resourceVersion=0").names()).containsExactly("kubernetes");
            cluster.run();
            assertThat(server.post(SERVICES, Bodies.service("back", NODE_PORT)).code())
                    .isEqualTo(201);
            assertThat(watch.next(1)).containsExactly("ADDED back");
            assertThat(server.get(SERVICES).names()).containsExactly("back", "kubernetes");
        }
    }

    private static HttpResponse<String> post(HttpClient http, TestServer server, String name) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + SERVICES))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Bodies.service(name, NODE_PORT)))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
