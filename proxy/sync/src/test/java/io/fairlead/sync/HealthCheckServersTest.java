package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.yaml.Yaml;
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
    private final EventSender events = new EventSender("test", InstantSource.system());
    private final HealthCheckServers servers = new HealthCheckServers(() -> healthy, events);

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

    private static Snapshot cluster(String name, int port, String policy, String node) {
        Service service = Service.of(
                Yaml.parseAll("""
                    metadata: {namespace: default, name: %s, uid: uid-of-%s}
                    spec:
                      type: LoadBalancer
                      clusterIP: 10.96.0.10
                      externalTrafficPolicy: %s
                      healthCheckNodePort: %d
                      ports: [{name: http, port: 80}]
                    """.formatted(name, name, policy, port)).getFirst());
        EndpointSlice slice =
                EndpointSlice.of(Yaml.parseAll("""
                    metadata: {namespace: default, name: %s-1, labels: {kubernetes.io/service-name: %s}}
                    addressType: IPv4
                    ports: [{name: http, port: 8080}]
                    endpoints: [{addresses: [10.244.1.1], nodeName: %s}]
                    """.formatted(name, name, node)).getFirst());
        return Snapshot.EMPTY.with(service).with(slice);
    }

    private ForwardingTable table = ForwardingTable.of(Snapshot.EMPTY, TestCluster.NODE);

    private void serve(Snapshot snapshot) {
        table = table.at(snapshot, TestCluster.NODE);
        servers.serve(table, snapshot);
    }

    private void serve(int port, String policy, String node) {
        serve(cluster("web", port, policy, node));
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
        serve(port, "Local", "node-a");
        assertThat(ask(port).statusCode()).isEqualTo(200);
        assertThat(ask(port).headers().firstValue("X-Load-Balancing-Endpoint-Weight"))
                .hasValue("1");
        assertThat(ask(port).body()).isEqualToNormalizingWhitespace("""
            { "service" : { "namespace" : "default", "name" : "web" },
              "localEndpoints" : 1, "serviceProxyHealthy" : true }\
            """);

        serve(port, "Local", "node-b");
        assertThat(ask(port).statusCode()).isEqualTo(503);
    }

    @Test
    void load_balancers_of_both_families_are_answered() throws Exception {
        int port = freePort();
        serve(port, "Local", "node-a");
        for (String loopback : List.of("127.0.0.1", "[::1]")) {
            assertThat(ask(loopback, port).statusCode()).as(loopback).isEqualTo(200);
        }
    }

    @Test
    void a_proxy_that_does_not_follow_the_cluster_answers_503() throws Exception {
        int port = freePort();
        serve(port, "Local", "node-a");
        healthy = false;
        assertThat(ask(port).statusCode()).isEqualTo(503);
    }

    @Test
    void the_port_is_closed_when_the_policy_changes() throws Exception {
        int port = freePort();
        serve(port, "Local", "node-a");
        serve(port, "Cluster", "node-a");
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> ask(port));
    }

    @Test
    void a_port_may_go_from_one_service_to_another() throws Exception {
        int port = freePort();
        for (String name : List.of("b", "a", "c", "b")) {
            serve(cluster(name, port, "Local", "node-a"));
            assertThat(ask(port).body()).contains("\"name\" : \"%s\"".formatted(name));
        }
    }

    @Test
    void a_taken_port_is_told_once_with_the_service_and_tried_again_each_time() throws Exception {
        int port;
        try (ServerSocket taken = new ServerSocket(0)) {
            port = taken.getLocalPort();
            serve(port, "Local", "node-a");
            serve(port, "Local", "node-b");
            serve(port, "Local", "node-b");
        }
        assertThat(events.waiting()).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("FailedToStartServiceHealthcheck");
            assertThat(event.uid()).isEqualTo("uid-of-web");
        });
        serve(port, "Local", "node-a");
        assertThat(ask(port).statusCode()).isEqualTo(200);
    }
}
