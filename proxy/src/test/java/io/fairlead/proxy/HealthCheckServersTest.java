package io.fairlead.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.api.Yaml;
import io.fairlead.forwarding.ForwardingTable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HealthCheckServersTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private boolean healthy = true;
    private final HealthCheckServers servers =
            new HealthCheckServers(() -> healthy, new Events("test", InstantSource.system()));

    @AfterEach
    void close() {
        servers.close();
        http.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static ForwardingTable table(int port, String policy, String node) {
        Service service = Service.of(Yaml.parseAll("""
            metadata: {namespace: default, name: web}
            spec:
              type: LoadBalancer
              clusterIP: 10.96.0.10
              externalTrafficPolicy: %s
              healthCheckNodePort: %d
              ports: [{name: http, port: 80}]
            """.formatted(policy, port)).getFirst());
        EndpointSlice slice =
                EndpointSlice.of(Yaml.parseAll("""
                    metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web}}
                    addressType: IPv4
                    ports: [{name: http, port: 8080}]
                    endpoints: [{addresses: [10.244.1.1], nodeName: %s}]
                    """.formatted(node)).getFirst());
        return ForwardingTable.of(Snapshot.EMPTY.with(service).with(slice), TestCluster.NODE);
    }

    private HttpResponse<String> ask(int port) throws IOException, InterruptedException {
        return ask("127.0.0.1", port);
    }

    private HttpResponse<String> ask(String host, int port) throws IOException, InterruptedException {
        URI uri = URI.create("http://%s:%d/whatever".formatted(host, port));
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_node_with_a_ready_pod_answers_200_and_one_without_503() throws Exception {
        int port = freePort();
        servers.serve(table(port, "Local", "node-a"));
        assertThat(ask(port).statusCode()).isEqualTo(200);
        assertThat(ask(port).headers().firstValue("X-Load-Balancing-Endpoint-Weight"))
                .hasValue("1");
        assertThat(ask(port).body()).isEqualToNormalizingWhitespace("""
            { "service" : { "namespace" : "default", "name" : "web" },
              "localEndpoints" : 1, "serviceProxyHealthy" : true }\
            """);

        servers.serve(table(port, "Local", "node-b"));
        assertThat(ask(port).statusCode()).isEqualTo(503);
    }

    @Test
    void load_balancers_of_both_families_are_answered() throws Exception {
        int port = freePort();
        servers.serve(table(port, "Local", "node-a"));
        for (String loopback : List.of("127.0.0.1", "[::1]")) {
            assertThat(ask(loopback, port).statusCode()).as(loopback).isEqualTo(200);
        }
    }

    @Test
    void a_proxy_that_does_not_follow_the_cluster_answers_503() throws Exception {
        int port = freePort();
        servers.serve(table(port, "Local", "node-a"));
        healthy = false;
        assertThat(ask(port).statusCode()).isEqualTo(503);
    }

    @Test
    void the_port_is_closed_when_the_policy_changes() throws Exception {
        int port = freePort();
        servers.serve(table(port, "Local", "node-a"));
        servers.serve(table(port, "Cluster", "node-a"));
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> ask(port));
    }
}
