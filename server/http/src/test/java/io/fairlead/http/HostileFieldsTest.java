package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends hostile values through every field of every kind: the answer is never an internal
/// error. `-Dhostile=all` sends them all; without it each kind gets its share.
@Timeout(3600)
final class HostileFieldsTest {
    private static final boolean ALL = "all".equals(System.getProperty("hostile"));
    private static final int REQUESTS_A_KIND = 350;

    @AutoClose
    private static final TestServer server = TestServer.running();

    @AutoClose
    private static final HttpClient http = HttpClient.newHttpClient();

    static Stream<Kind> kinds() {
        return Kind.ALL.stream();
    }

    /// Right but for its name where a sample of the kind is known; else bare.
    private static ObjectNode base(Kind kind) {
        String path = kind.path("default");
        ObjectNode base = Stream.of(FuzzSample.values())
                .filter(sample -> sample.collection().equals(path))
                .map(sample -> (ObjectNode) Json.parse(sample.json()))
                .findFirst()
                .orElseGet(Json::object);
        base.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        base.withObject("/metadata").put("name", "hostile").remove("finalizers");
        return base;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void no_field_of_a_kind_takes_a_value_that_is_an_internal_error(Kind kind) throws Exception {
        String path = kind.path("default");
        ObjectNode base = base(kind);
        List<List<String>> fields = HostileFields.paths(kind);
        int requests = fields.size() * HostileFields.VALUES.size();
        int step = ALL ? 1 : Math.max(1, requests / REQUESTS_A_KIND | 1); // odd, so that all values have their turn
        List<String> failures = new ArrayList<>();
        server.post(path, base.toString());
        for (int i = 0; i < requests; i += step) {
            List<String> field = fields.get(i / HostileFields.VALUES.size());
            JsonNode value = HostileFields.VALUES.get(i % HostileFields.VALUES.size());
            String body = HostileFields.mutant(base, kind, field, value).toString();
            String told = String.join(".", field) + " = " + shortened(value.toString());
            check(failures, told, code("POST", path + "?dryRun=All", "application/json", body));
            if (ALL || i % 5 == 0) {
                check(failures, told, code("PUT", path + "/hostile/status?dryRun=All", "application/json", body));
                check(
                        failures,
                        told,
                        code("PATCH", path + "/hostile?dryRun=All", "application/merge-patch+json", body));
                check(
                        failures,
                        told,
                        code(
                                "PATCH",
                                path + "/hostile?dryRun=All&fieldManager=x&force=true",
                                "application/apply-patch+yaml",
                                body));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(code("GET", "/livez", "application/json", "")).isEqualTo(200);
    }

    private static int code(String method, String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(Duration.ofSeconds(60))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static void check(List<String> failures, String what, int code) {
        if (code >= 500) {
            failures.add(code + " for " + what);
        }
    }

    private static String shortened(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
