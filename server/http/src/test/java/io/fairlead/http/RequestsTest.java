package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// Requests, and what Kubernetes v1.36 answers to them: status, reason, details, the fields of the causes, and the
/// shape of objects. The words of messages are our own.
final class RequestsTest {
    private static final String ROWS = "requests.yaml";
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> a_request_is_answered_as_kubernetes_answers_it() throws IOException {
        return rows().stream().map(row -> DynamicTest.dynamicTest(name(row), () -> check(row)));
    }

    @Test
    void there_are_at_least_as_many_as_were_compared() throws IOException {
        assertThat(rows()).hasSizeGreaterThanOrEqualTo(163);
    }

    @TestFactory
    Stream<DynamicTest> what_is_not_there_is_not_found_in_any_kind() {
        return Kind.ALL.stream().flatMap(kind -> {
            String path = kind.path(new NamespacedName(kind.namespaced() ? "default" : "", missing(kind)));
            return Stream.of("GET", "DELETE", "PATCH")
                    .map(method -> DynamicTest.dynamicTest(method + " " + path, () -> {
                        var reply = server.send(method, path, "application/merge-patch+json", "{}");
                        assertThat(reply.code()).isEqualTo(404);
                        assertThat(reply.text("reason")).isEqualTo("NotFound");
                        assertThat(reply.text("details", "kind")).isEqualTo(kind.plural());
                        assertThat(reply.text("details", "group")).isEqualTo(kind.group());
                        assertThat(reply.text("details", "name")).isEqualTo(missing(kind));
                    }));
        });
    }

    private static String missing(Kind kind) {
        return kind.equals(Kind.IP_ADDRESS) ? "192.0.2.77" : "missing";
    }

    private static List<JsonNode> rows() throws IOException {
        try (InputStream file = Objects.requireNonNull(RequestsTest.class.getResourceAsStream(ROWS))) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Yaml.parseAll(text).getFirst().valueStream().toList();
        }
    }

    private static String name(JsonNode row) {
        String body = row.has("body") ? " " + row.path("body") : "";
        return Json.text(row, "do") + body.substring(0, Math.min(body.length(), 120));
    }

    private static void check(JsonNode row) throws Exception {
        String[] asked = Json.text(row, "do").split(" ", 2);
        boolean patch = asked[0].equals("PATCH");
        String type =
                row.has("type") ? Json.text(row, "type") : patch ? "application/merge-patch+json" : "application/json";
        String accept = row.has("accept") ? Json.text(row, "accept") : "application/json";
        String body = row.has("body") ? row.path("body").toString() : "";
        var answer = server.exchange(asked[0], asked[1], type, accept, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(Json.number(row, 0, "code"));
        if (row.has("text")) {
            assertThat(answer.body()).isEqualTo(Json.text(row, "text"));
            return;
        }
        if (row.has("warns")) {
            assertThat(answer.headers().allValues("Warning")).hasSize(Json.number(row, 0, "warns"));
        }
        checkBody(row, Json.parse(answer.body()));
    }

    private static void checkBody(JsonNode row, JsonNode body) {
        if (row.has("reason")) {
            assertThat(Json.text(body, "kind")).isEqualTo("Status");
            assertThat(Json.text(body, "status")).isEqualTo("Failure");
            assertThat(Json.text(body, "reason")).isEqualTo(Json.text(row, "reason"));
            assertThat(Json.number(body, 0, "code")).isEqualTo(Json.number(row, 0, "code"));
        }
        for (String detail : List.of("kind", "group", "name")) {
            if (row.has(detail)) {
                assertThat(Json.text(body, "details", detail))
                        .as(body.toString())
                        .isEqualTo(Json.text(row, detail));
            }
        }
        if (row.has("causes")) {
            assertThat(Json.list(body, cause -> Json.text(cause, "field"), "details", "causes"))
                    .as(body.toString())
                    .containsExactlyInAnyOrderElementsOf(Json.texts(row, "causes"));
        }
        row.path("has")
                .propertyStream()
                .forEach(field -> assertThat(at(body, field.getKey()))
                        .as(field.getKey() + " in " + body)
                        .isEqualTo(field.getValue()));
        Json.texts(row, "hasAny")
                .forEach(path ->
                        assertThat(at(body, path).isMissingNode()).as(path).isFalse());
        Json.texts(row, "lacks")
                .forEach(path -> assertThat(at(body, path).isMissingNode())
                        .as(path + " in " + body)
                        .isTrue());
    }

    /// The value at a path; a label may have dots itself, so the longest name that fits is taken.
    private static JsonNode at(JsonNode tree, String path) {
        List<String> parts = new ArrayList<>(List.of(path.split("\\.")));
        JsonNode node = tree;
        while (!parts.isEmpty()) {
            String part = parts.removeFirst();
            node = node instanceof ArrayNode list ? list.path(Integer.parseInt(part)) : node.path(part);
        }
        return node;
    }
}
