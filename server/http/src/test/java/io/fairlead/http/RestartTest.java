package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.objects.PortRange;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.SqliteStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is there after a start, the first one or a later one.
@Timeout(60)
final class RestartTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

    @TempDir
    private Path dir;

    @Test
    void all_that_was_answered_is_there_after_a_restart() throws Exception {
        ApiServerConfig config = ApiServerConfig.at(TestServer.ANY_PORT);
        Path file = dir.resolve("state.db");
        String spec = "\"type\":\"NodePort\",\"ports\":[{\"port\":80}]";
        TestServer.Reply created;
        try (TestServer server = TestServer.start(config, SqliteStore.open(file))) {
            created = server.post(SERVICES, Bodies.service("lasting", spec));
            server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"mine\"}}");
        }
        try (TestServer server = TestServer.start(config, SqliteStore.open(file))) {
            assertThat(server.get(SERVICES + "/lasting").body()).isEqualTo(created.body());
            assertThat(server.get("/api/v1/namespaces/mine").code()).isEqualTo(200);
            int port = Json.number(created.body().path("spec").path("ports").path(0), 0, "nodePort");
            var thief = server.post(SERVICES, Bodies.service("thief", spec.replace("80", "80,\"nodePort\":" + port)));
            assertThat(thief.message()).contains("provided port is already allocated");
            try (WatchReader watch = server.watch(
                    SERVICES + "?resourceVersion=" + server.get(SERVICES).version())) {
                server.delete(SERVICES + "/lasting");
                assertThat(watch.next(1)).containsExactly("DELETED lasting");
            }
        }
    }

    @Test
    void the_kubernetes_service_leads_to_the_advertised_addresses() throws Exception {
        ApiServerConfig config = ApiServerConfig.at(TestServer.ANY_PORT)
                .withServiceCidrs(List.of(Cidr.parse("10.7.0.0/24")))
                .withAdvertised(List.of(IpPort.parse("192.0.2.1:6443")));
        Path file = dir.resolve("state.db");
        try (TestServer server = TestServer.start(config, SqliteStore.open(file))) {
            var service = server.get(SERVICES + "/kubernetes");
            assertThat(service.text("spec", "clusterIP")).isEqualTo("10.7.0.1");
            assertThat(address(server)).isEqualTo("192.0.2.1");
            assertThat(Json.map(server.get(SLICES + "/kubernetes").body(), "metadata", "labels"))
                    .containsEntry("kubernetes.io/service-name", "kubernetes");
        }
        ApiServerConfig moved = config.withAdvertised(List.of(IpPort.parse("192.0.2.2:6443")));
        try (TestServer server = TestServer.start(moved, SqliteStore.open(file))) {
            assertThat(address(server)).isEqualTo("192.0.2.2");
        }
    }

    private static String address(TestServer server) throws Exception {
        return Json.texts(
                        server.get(SLICES + "/kubernetes")
                                .body()
                                .path("endpoints")
                                .path(0),
                        "addresses")
                .getFirst();
    }

    @Test
    void strict_names_are_the_rule_of_kubernetes() throws Exception {
        try (TestServer server =
                TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT).withStrictNames(true))) {
            var reply = server.post(SERVICES, Bodies.service("Hello", "\"ports\":[{\"port\":80}]"));

            assertThat(reply.code()).isEqualTo(422);
            assertThat(reply.message()).contains("metadata.name").contains("lower-case letters");
        }
    }

    @Test
    void an_address_that_is_taken_is_a_failed_start() throws Exception {
        try (TestServer first = TestServer.start();
                MemoryStore store = new MemoryStore()) {
            IpPort taken = IpPort.parse(first.url().substring("http://".length()));

            assertThatThrownBy(() -> ApiServer.start(ApiServerConfig.at(taken), store))
                    .isInstanceOf(ApiServerException.class)
                    .hasMessageContaining("cannot listen on " + taken);
        }
    }

    @Test
    void defaults_are_those_of_the_documents() {
        ApiServerConfig config = ApiServerConfig.at(TestServer.ANY_PORT);

        assertThat(config.serviceCidrs()).containsExactly(Cidr.parse("10.96.0.0/16"));
        assertThat(config.addresses().nodePorts()).hasToString("30000-32767");
        assertThat(config.advertised()).isEmpty();
        assertThat(config.policy().strictNames()).isFalse();
    }

    @Test
    void a_range_that_is_none_is_refused() {
        for (String wrong : List.of("1", "5-4", "0-5", "1-70000", "a-b")) {
            assertThatThrownBy(() -> PortRange.parse(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        ApiServerConfig config = ApiServerConfig.at(TestServer.ANY_PORT);
        assertThatThrownBy(() -> config.withServiceCidrs(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> config.withServiceCidrs(List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("11.0.0.0/8"))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
