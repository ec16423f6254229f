package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A line of JSON for each request, whatever the client says; and what is counted of it.
@RequiresRoot
final class LogsIT {
    private Endpoints endpoints;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        endpoints = new Endpoints();
        door = new Door(Door.makeFolder());
        door.apply(Manifests.CLASS + service("hello", 8080, "10.244.1.1") + ingress("door", "", "a.example.com", ""));
        Door.until("served", () -> get("/first").startsWith("10.244.1.1 "));
    }

    private static String get(String path, String... more) {
        List<String> words =
                new ArrayList<>(List.of("-g", "--path-as-is", "http://a.example.com:%d%s".formatted(Door.HTTP, path)));
        words.addAll(List.of(more));
        return Door.curl(words.toArray(String[]::new));
    }

    @AfterEach
    void stop() throws IOException {
        door.close();
        endpoints.close();
    }

    private List<JsonNode> lines() throws IOException {
        return Files.readAllLines(door.folder.resolve("access.log")).stream()
                .<JsonNode>map(Json::parse)
                .toList();
    }

    @Test
    void each_request_is_a_line_of_json_whatever_the_client_says() throws IOException {
        get("/q\"u\\o}{", "-A", "\"},{\"status\":\"${evil}\\");
        get("/status/418");
        get("/last");
        Door.until(
                "written",
                () -> lines().stream().anyMatch(line -> Json.text(line, "path").equals("/last")));
        // While it was not served yet, there was no Ingress to name.
        List<JsonNode> lines = lines().stream()
                .filter(line -> !Json.text(line, "path").equals("/first"))
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines).allSatisfy(line -> {
            assertThat(Json.text(line, "ingress")).isEqualTo("default/door");
            assertThat(Json.text(line, "service")).isEqualTo("default/hello:80");
            assertThat(Json.text(line, "target")).isEqualTo("10.244.1.1:8080");
            assertThat(line.path("seconds").isNumber()).isTrue();
            assertThat(line.path("bytes").isNumber()).isTrue();
        });
        assertThat(lines.stream().map(line -> line.path("status").asInt())).contains(200, 418);
        assertThat(lines.stream().map(line -> Json.text(line, "agent"))).contains("\"},{\"status\":\"${evil}\\");
    }

    @Test
    void requests_seconds_and_bytes_are_counted_by_ingress_service_and_code() {
        get("/status/418");
        get("/status/418");
        String labels = "ingress=\"default/door\",service=\"default/hello:80\"";
        Door.until(
                "counted",
                () -> door.controller
                        .metrics()
                        .contains("fairlead_ingress_requests_total{%s,status=\"418\"} 2.0".formatted(labels)));
        assertThat(door.controller.metrics())
                .contains("fairlead_ingress_response_bytes_total{%s} ".formatted(labels))
                .contains("fairlead_ingress_request_duration_seconds_bucket{%s,le=\"+Inf\"} ".formatted(labels))
                .contains("fairlead_ingress_request_duration_seconds_sum{%s} ".formatted(labels))
                .contains("fairlead_ingress_reloads_total ");
    }
}
