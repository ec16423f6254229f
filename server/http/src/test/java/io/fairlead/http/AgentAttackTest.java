package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.access.Subject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that the server passes on to a node's agent: none outlives its client, and none reaches the agent with a
/// name that is no pod's.
@Timeout(60)
final class AgentAttackTest {
    /// Less than the server waits for an agent that is silent.
    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    @TempDir
    private Path dir;

    private GuardedServer server;
    private GuardedServer.Client admin;

    @BeforeEach
    void start() throws Exception {
        server = GuardedServer.start(dir);
        admin = server.admin();
    }

    @AfterEach
    void stop() {
        admin.close();
        server.close();
    }

    private void created(String path, String body) throws Exception {
        var done = admin.post(path, body);
        assertThat(done.code()).as(done.text()).isEqualTo(201);
    }

    private void node(FalseAgent agent) throws Exception {
        created("/api/v1/nodes", "{\"metadata\": {\"name\": \"n1\"}}");
        var told = admin.send("PATCH", "/api/v1/nodes/n1/status", """
            {"status": {"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
             "daemonEndpoints": {"kubeletEndpoint": {"Port": %d}}}}
            """.formatted(agent.port()));
        assertThat(told.code()).as(told.text()).isEqualTo(200);
    }

    private SSLSocket asks(String path) throws Exception {
        String authority = server.url().substring("https://".length());
        String[] address = authority.split(":", 2);
        SSLSocket client = (SSLSocket) GuardedServer.context(
                        server.pki().authority().certificate(),
                        Optional.of(server.pki().issueClient(Subject.administrator())))
                .getSocketFactory()
                .createSocket(address[0], Integer.parseInt(address[1]));
        client.getOutputStream()
                .write("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                        .formatted(path, authority)
                        .getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    /// Finding H7: such requests held their places at the agent for as long as the pod was silent.
    @ParameterizedTest
    @ValueSource(
            strings = {"", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: fairlead-dial\r\n\r\n"})
    void a_request_to_a_silent_pod_ends_with_its_client(String answer) throws Exception {
        try (FalseAgent agent = new FalseAgent(server.pki(), "n1", answer)) {
            node(agent);
            created("/api/v1/namespaces/default/pods", """
                {"metadata": {"name": "p"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}]}}
                """);
            SSLSocket client = asks("/api/v1/namespaces/default/pods/p:80/proxy/");
            try (client) {
                assertThat(agent.asked().await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(agent.left()).isNotDone();
            }
            assertThat(agent.left()).succeedsWithin(AT_ONCE);
        }
    }

    /// Finding C3c: the name went into the request line to the agent, which it ended.
    @Test
    void an_endpoint_whose_pod_has_no_name_of_a_pod_leads_nowhere() throws Exception {
        try (FalseAgent agent = new FalseAgent(server.pki(), "n1", "")) {
            node(agent);
            created("/api/v1/namespaces/default/services", """
                {"metadata": {"name": "web"}, "spec": {"ports": [{"name": "http", "port": 80}]}}
                """);
            created("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", """
                {"metadata": {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
                 "addressType": "IPv4", "ports": [{"name": "http", "port": 80, "protocol": "TCP"}],
                 "endpoints": [{"addresses": ["10.244.1.2"], "nodeName": "n1", "conditions": {"ready": true},
                   "targetRef": {"kind": "Pod", "namespace": "default", "name": "a b"}}]}
                """);
            var refused = admin.get("/api/v1/namespaces/default/services/web/proxy/");
            assertThat(refused.code()).as(refused.text()).isEqualTo(503);
            assertThat(refused.message()).contains("no endpoints available");
            assertThat(agent.asked().getCount()).isOne();
        }
    }
}
