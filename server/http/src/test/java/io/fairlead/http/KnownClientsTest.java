package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.access.Subject;
import io.fairlead.api.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What programs of others ask for, with no more rights than they get (K37, K38).
@Timeout(60)
final class KnownClientsTest {
    private static final String WATCH_LIST =
            "&watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                    + "&allowWatchBookmarks=true";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

    @TempDir
    private Path dir;

    private GuardedServer server;

    @BeforeEach
    void start() throws Exception {
        server = GuardedServer.start(dir);
        try (var admin = server.admin()) {
            admin.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n1\"}}");
            admin.post("/api/v1/namespaces/default/services", """
                {"metadata":{"name":"headless"},"spec":{"clusterIP":"None","ports":[{"port":80}]}}\
                """);
            admin.post("/api/v1/namespaces/default/services", """
                {"metadata":{"name":"other","labels":{"service.kubernetes.io/service-proxy-name":"mesh"}},
                 "spec":{"ports":[{"port":80}]}}\
                """);
            admin.post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", """
                {"metadata":{"name":"headless-1","labels":{"service.kubernetes.io/headless":""}},
                 "addressType":"IPv4","endpoints":[]}\
                """);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// The names that a list shows; a watch that begins with the state shows the same, and then says that it has shown
    /// all.
    private static List<String> listed(GuardedServer.Client client, String path) throws Exception {
        var list = client.get(path);
        assertThat(list.code()).as(path + list.text()).isEqualTo(200);
        List<String> names = Json.list(list.body(), item -> Json.text(item, "metadata", "name"), "items");
        List<String> lines = client.get(path + WATCH_LIST).text().lines().toList();
        assertThat(lines.stream()
                        .map(Json::parse)
                        .filter(line -> Json.text(line, "type").equals("ADDED"))
                        .map(line -> Json.text(line.path("object"), "metadata", "name")))
                .as(path)
                .containsExactlyElementsOf(names);
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("k8s.io/initial-events-end"));
        return names;
    }

    @Test
    void a_kube_proxy_sees_its_node_and_the_services_that_are_for_it_and_tells_what_happens() throws Exception {
        try (var proxy = server.as(Subject.of("system:kube-proxy"))) {
            assertThat(listed(proxy, "/api/v1/nodes?fieldSelector=metadata.name%3Dn1"))
                    .containsExactly("n1");
            assertThat(listed(
                            proxy,
                            "/api/v1/services?fieldSelector=spec.clusterIP%21%3DNone"
                                    + "&labelSelector=%21service.kubernetes.io/service-proxy-name"))
                    .containsExactly("kubernetes");
            assertThat(listed(
                            proxy,
                            "/apis/discovery.k8s.io/v1/endpointslices?labelSelector="
                                    + "%21service.kubernetes.io/headless,%21service.kubernetes.io/service-proxy-name"))
                    .isEmpty();
            assertThat(listed(proxy, "/apis/networking.k8s.io/v1/servicecidrs?limit=500"))
                    .containsExactly("kubernetes");
            var told = proxy.post(EVENTS, """
                {"metadata":{"name":"n1.1"},"eventTime":"2026-01-01T00:00:00.000000Z","type":"Normal",
                 "reportingController":"kube-proxy","reportingInstance":"kube-proxy-n1","action":"StartKubeProxy",
                 "reason":"Starting","regarding":{"kind":"Node","name":"n1","namespace":"default"}}\
                """);
            assertThat(told.code()).as(told.text()).isEqualTo(201);
            assertThat(proxy.send("PATCH", EVENTS + "/n1.1", """
                {"series":{"count":2,"lastObservedTime":"2026-01-01T00:01:00.000000Z"}}\
                """).code()).isEqualTo(200);
            assertThat(proxy.get("/api/v1/secrets").code()).isEqualTo(403);
        }
    }

    @Test
    void a_coredns_sees_what_names_are_made_of() throws Exception {
        try (var dns = server.as(Subject.of("fairlead:dns"))) {
            assertThat(listed(dns, "/api/v1/services?limit=500")).containsExactly("headless", "kubernetes", "other");
            assertThat(listed(dns, "/apis/discovery.k8s.io/v1/endpointslices?limit=500"))
                    .containsExactly("headless-1");
            assertThat(listed(dns, "/api/v1/namespaces?limit=500")).contains("default", "kube-system");
            assertThat(listed(dns, "/api/v1/pods?limit=500")).isEmpty();
            assertThat(dns.get("/version").code()).isEqualTo(200);
        }
    }
}
