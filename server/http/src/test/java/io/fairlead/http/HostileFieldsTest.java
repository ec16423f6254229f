package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends hostile values through every field of every kind and every option of a query: the answer is never an internal
/// error. `-Dhostile=all` sends them all; without it each kind gets its share.
@Timeout(3600)
final class HostileFieldsTest {
    private static final boolean ALL = "all".equals(System.getProperty("hostile"));
    private static final int REQUESTS_A_KIND = 350;
    private static final List<String> OPTIONS = List.of(
            "labelSelector",
            "fieldSelector",
            "limit",
            "continue",
            "resourceVersion",
            "resourceVersionMatch",
            "timeoutSeconds",
            "watch",
            "allowWatchBookmarks",
            "sendInitialEvents",
            "dryRun",
            "fieldManager",
            "fieldValidation",
            "force",
            "gracePeriodSeconds",
            "propagationPolicy",
            "orphanDependents",
            "preconditions.uid",
            "pretty",
            "includeObject",
            "container",
            "follow",
            "previous",
            "sinceSeconds",
            "sinceTime",
            "tailLines",
            "limitBytes",
            "timestamps",
            "command",
            "ports",
            "verbose",
            "exclude",
            "timeout");

    @AutoClose
    private static final TestServer server = TestServer.running();

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
            check(failures, told, server.post(path + "?dryRun=All", body).code());
            if (ALL || i % 5 == 0) {
                check(
                        failures,
                        told,
                        server.send("PUT", path + "/hostile/status?dryRun=All", "application/json", body)
                                .code());
                check(
                        failures,
                        told,
                        server.send("PATCH", path + "/hostile?dryRun=All", "application/merge-patch+json", body)
                                .code());
                check(
                        failures,
                        told,
                        server.send(
                                        "PATCH",
                                        path + "/hostile?dryRun=All&fieldManager=x&force=true",
                                        "application/apply-patch+yaml",
                                        body)
                                .code());
            }
        }
        assertThat(failures).isEmpty();
        assertThat(server.get("/livez").code()).isEqualTo(200);
    }

    @Test
    void no_option_of_a_query_takes_a_value_that_is_an_internal_error() throws Exception {
        List<String> failures = new ArrayList<>();
        List<Map.Entry<String, String>> calls = List.of(
                Map.entry("GET", "/api/v1/namespaces/default/pods"),
                Map.entry("GET", "/api/v1/namespaces/default/pods/p/log"),
                Map.entry("GET", "/api/v1/namespaces/default/pods/p/exec"),
                Map.entry("DELETE", "/api/v1/namespaces/default/configmaps/none"),
                Map.entry("PATCH", "/api/v1/namespaces/default/configmaps/none"),
                Map.entry("GET", "/livez"),
                Map.entry("GET", "/openapi/v2"));
        server.post("/api/v1/namespaces/default/pods", """
            {"metadata": {"name": "p"}, "spec": {"nodeName": "away", "containers": [{"name": "c", "image": "i"}]}}\
            """);
        int turn = 0;
        for (String option : OPTIONS) {
            for (JsonNode value : HostileFields.VALUES) {
                String text = value.isString() ? value.stringValue() : value.toString();
                String query = option + "=" + encoded(text.substring(0, Math.min(text.length(), 6_000)));
                for (var call : calls) {
                    boolean hangs = call.getKey().equals("GET") && option.equals("watch") && text.equals("true");
                    if (!hangs && (ALL || turn++ % 5 == 0)) {
                        int code = server.send(
                                        call.getKey(),
                                        call.getValue() + "?" + query,
                                        "application/merge-patch+json",
                                        call.getKey().equals("PATCH") ? "{}" : "")
                                .code();
                        // There is no agent of a node `away`: 503 says so.
                        if (code != 503 || !call.getValue().contains("/pods/p/")) {
                            check(failures, call + " " + shortened(query), code);
                        }
                    }
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
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
