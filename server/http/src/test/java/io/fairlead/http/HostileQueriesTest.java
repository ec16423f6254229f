package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sends hostile values through every option of a request, to every kind and by every method: the answer is never an
/// internal error. `-Dhostile=all` sends them all; without it each kind gets its share.
@Timeout(3600)
final class HostileQueriesTest {
    private static final boolean ALL = "all".equals(System.getProperty("hostile"));
    private static final int REQUESTS_A_KIND = 60;
    private static final Pattern READ = Pattern.compile("(?:query|flag|revision|containsKey)\\(\"([a-zA-Z]+)\"\\)");

    /// All that the server reads from a query, and what it hands on to agents.
    private static final List<String> OPTIONS = List.of(
            "allowWatchBookmarks",
            "command",
            "container",
            "continue",
            "dryRun",
            "exclude",
            "fieldManager",
            "fieldSelector",
            "fieldValidation",
            "follow",
            "force",
            "gracePeriodSeconds",
            "includeObject",
            "labelSelector",
            "limit",
            "limitBytes",
            "orphanDependents",
            "path",
            "ports",
            "pretty",
            "previous",
            "propagationPolicy",
            "resourceVersion",
            "resourceVersionMatch",
            "sendInitialEvents",
            "shardSelector",
            "sinceSeconds",
            "sinceTime",
            "stderr",
            "stdin",
            "stdout",
            "stream",
            "tailLines",
            "timeout",
            "timeoutSeconds",
            "timestamps",
            "tty",
            "verbose",
            "watch");

    private record Way(String method, String path, String type, String body) {}

    @AutoClose
    private static final TestServer server = TestServer.running();

    @AutoClose
    private static final HttpClient http = HttpClient.newHttpClient();

    static Stream<Kind> kinds() {
        return Kind.ALL.stream();
    }

    private static List<String> values() {
        List<String> values = new ArrayList<>();
        // A header has 32 KiB, and what is too long for it is refused before it is read.
        HostileFields.VALUES.forEach(value -> values.add(
                value.isString()
                        ? value.asString()
                                .substring(0, Math.min(8_000, value.asString().length()))
                        : value.toString()));
        values.addAll(List.of(
                "a in (",
                "a=b,".repeat(2_000),
                "!".repeat(5_000),
                "metadata.name!=x,metadata.name=\\,\\=",
                "a notin (b",
                "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiLi4vLi4ifQ",
                "Exact",
                "NotOlderThan",
                "9223372036854775807",
                "9223372036854775808"));
        return values;
    }

    private static List<Way> ways(Kind kind) {
        String path = kind.path("default");
        String body = "{\"apiVersion\": \"%s\", \"kind\": \"%s\", \"metadata\": {\"name\": \"hostile\"}}"
                .formatted(kind.apiVersion(), kind.name());
        List<Way> ways = new ArrayList<>(List.of(
                new Way("GET", path, "", ""),
                new Way("GET", path + "?watch=true", "", ""),
                new Way("GET", path + "/hostile", "", ""),
                new Way("POST", path, "application/json", body),
                new Way("PUT", path + "/hostile", "application/json", body),
                new Way("PATCH", path + "/hostile", "application/merge-patch+json", body),
                new Way("PATCH", path + "/hostile", "application/apply-patch+yaml", body),
                new Way("DELETE", path + "/hostile", "", ""),
                new Way("DELETE", path + "?labelSelector=none", "", "")));
        if (kind.equals(Kind.POD)) {
            Stream.of("log", "exec", "attach", "portforward")
                    .forEach(part -> ways.add(new Way("GET", path + "/hostile/" + part, "", "")));
        }
        return ways;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void no_option_takes_a_value_that_is_an_internal_error(Kind kind) throws Exception {
        List<String> values = values();
        List<Way> ways = ways(kind);
        int requests = OPTIONS.size() * values.size() * ways.size();
        int step = ALL ? 1 : requests / REQUESTS_A_KIND;
        int first = ALL ? 0 : Math.floorMod(kind.hashCode(), step); // another share for each kind
        List<String> failures = new ArrayList<>();
        for (int i = first; i < requests; i += step) {
            String option = OPTIONS.get(i / ways.size() % OPTIONS.size());
            String value = values.get(i / ways.size() / OPTIONS.size());
            Way way = ways.get(i % ways.size());
            int code = code(way, option, value);
            // A revision that is still to come is waited for, and then it is a 504, as in Kubernetes.
            if (code >= 500 && !(code == 504 && option.equals("resourceVersion"))) {
                failures.add("%d for %s %s with %s=%.60s".formatted(code, way.method, way.path, option, value));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(code(new Way("GET", "/livez", "", ""), "verbose", "")).isEqualTo(200);
    }

    private static int code(Way way, String option, String value) throws Exception {
        String query = "%s%s=%s"
                .formatted(
                        way.path.contains("?") ? "&" : "?", option, URLEncoder.encode(value, StandardCharsets.UTF_8));
        // A watch that is one ends by itself.
        String end = option.equals("timeoutSeconds") ? "" : "&timeoutSeconds=1";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + way.path + query + end))
                .method(way.method, HttpRequest.BodyPublishers.ofString(way.body))
                .timeout(Duration.ofSeconds(60));
        if (!way.type.isEmpty()) {
            request.header("Content-Type", way.type);
        }
        HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }

    @Test
    void every_option_that_the_server_reads_is_among_them() throws IOException {
        Set<String> read = new TreeSet<>();
        Path sources = Path.of(System.getProperty("fairlead.root"), "server/http/src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".java")).toList()) {
                Matcher options = READ.matcher(Files.readString(file));
                while (options.find()) {
                    read.add(options.group(1));
                }
            }
        }
        assertThat(read).hasSizeGreaterThan(12);
        assertThat(OPTIONS).containsAll(read);
    }
}
