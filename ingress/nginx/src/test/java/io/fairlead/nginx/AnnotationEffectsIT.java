package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.base64;
import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.secret;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.routes.Annotation;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Every annotation has its effect, by requests through a real nginx; all Ingresses are there at once.
@RequiresRoot
final class AnnotationEffectsIT {
    private static final String SERVICES = service("hello", 8080, "10.244.1.1", "10.244.1.2", "10.244.1.3")
            + service("errors", 8080, "10.244.1.5")
            + service("canary", 8080, "10.244.1.6")
            + service("half", 8080, "10.244.1.1", "10.99.0.1")
            + service("idle", 8080)
            + service("deaf", 8084, "10.244.1.1")
            + service("full", 8083, "10.244.1.1")
            + service("tls", 8444, "10.244.1.1")
            + service("grpc", 8082, "10.244.1.1")
            + service("grpcs", 8445, "10.244.1.1");

    /// Those that the tests below show, each in its own way.
    private static final Set<String> BELOW = Set.of(
            "canary",
            "canary-weight",
            "canary-weight-total",
            "canary-by-header",
            "canary-by-header-value",
            "canary-by-header-pattern",
            "canary-by-cookie",
            "upstream-hash-by",
            "session-cookie-change-on-failure",
            "mirror-target",
            "mirror-request-body",
            "enable-access-log",
            "limit-connections",
            "proxy-request-buffering",
            "proxy-buffers-number",
            "client-body-buffer-size",
            "proxy-connect-timeout",
            "proxy-send-timeout");

    private static Endpoints endpoints;
    private static Door door;
    private static List<EffectRow> rows;

    @BeforeAll
    static void start() throws IOException {
        endpoints = new Endpoints();
        door = new Door(Door.makeFolder());
        rows = EffectRow.all();
        StringBuilder all = new StringBuilder(Manifests.CLASS).append(SERVICES);
        rows.forEach(row -> all.append(row.manifest()));
        all.append(secret("users", "none")).append(secret("cert", Door.certificate("row.test")));
        all.append("""
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: map}, data: {mary: %s}}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: headers}, data: {X-Room: north}}
            """.formatted(base64("{PLAIN}other")));
        all.append(others());
        door.apply(all.toString());
        Door.until(
                "all are served",
                () -> door.controller.applied().isPresent() && http("last", "/").contains("200"));
        assertThat(door.applied().faults()).isEmpty();
    }

    private static String others() {
        StringBuilder all = new StringBuilder();
        canary(all, "weight", "canary-weight: '100'");
        canary(all, "total", "canary-weight: '5', fairlead.io/canary-weight-total: '5'");
        canary(all, "header", "canary-by-header: X-Try");
        canary(all, "value", "canary-by-header: X-Try, fairlead.io/canary-by-header-value: 'yes'");
        canary(all, "pattern", "canary-by-header: X-Try, fairlead.io/canary-by-header-pattern: '^b[0-9]+$'");
        canary(all, "cookie", "canary-by-cookie: tester");
        all.append(one("hash", "upstream-hash-by: $request_uri"))
                .append(one("change", "affinity: cookie, fairlead.io/session-cookie-change-on-failure: 'true'")
                        .replace("name: hello", "name: half"))
                .append(one("keep", "affinity: cookie").replace("name: hello", "name: half"))
                .append(one("mirror", "mirror-target: http://10.244.1.50:8080/seen/mirror"))
                .append(one(
                        "bodiless",
                        "mirror-target: http://10.244.1.50:8080/seen/bodiless, fairlead.io/mirror-request-body: 'off'"))
                .append(one("silent", "enable-access-log: 'false'"))
                .append(one("busy", "limit-connections: '2'"))
                .append(one("early", "proxy-request-buffering: 'off'"))
                .append(one("ahead", "proxy-buffering: 'on', fairlead.io/proxy-buffers-number: '8'"))
                .append(one("spill", "client-body-buffer-size: 1k"))
                .append(one("connect", "proxy-connect-timeout: '1'").replace("name: hello", "name: full"))
                .append(one("send", "proxy-send-timeout: '1', fairlead.io/proxy-body-size: 64m")
                        .replace("name: hello", "name: deaf"))
                .append(one("last", "proxy-body-size: 3m"));
        return all.toString();
    }

    private static String one(String name, String annotations) {
        return ingress(name, "fairlead.io/" + annotations, name + ".example.com", "");
    }

    private static void canary(StringBuilder all, String name, String annotations) {
        all.append(ingress(name, "", name + ".example.com", ""));
        all.append(one(name, "canary: 'true', fairlead.io/" + annotations)
                .replace("metadata: {name: " + name, "metadata: {name: canary-" + name)
                .replace("service: {name: hello", "service: {name: canary"));
    }

    @AfterAll
    static void stop() throws IOException {
        door.close();
        endpoints.close();
    }

    private static String http(String host, String path, String... more) {
        List<String> words = new ArrayList<>(List.of("http://%s.example.com:%d%s".formatted(host, Door.HTTP, path)));
        words.addAll(List.of(more));
        return Door.curl(words.toArray(String[]::new));
    }

    @Test
    void each_row_has_its_effect_under_both_prefixes() {
        List<String> faults = new ArrayList<>();
        for (EffectRow row : rows) {
            String fault = row.fault(row.answer());
            if (!fault.isEmpty()) {
                faults.add(row + ": " + fault);
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void no_annotation_is_without_a_test() {
        Set<String> shown = new TreeSet<>(BELOW);
        rows.forEach(row -> row.words().forEach(shown::add));
        shown.addAll(ClientCertificatesIT.SHOWN);
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Annotation.values()).map(Annotation::word).toList());
    }

    @Test
    void a_canary_is_chosen_by_weight_header_value_pattern_and_cookie() {
        assertThat(http("weight", "/")).startsWith("10.244.1.6 ");
        assertThat(http("total", "/")).startsWith("10.244.1.6 ");
        assertThat(http("header", "/")).doesNotStartWith("10.244.1.6 ");
        assertThat(http("header", "/", "-H", "X-Try: always")).startsWith("10.244.1.6 ");
        assertThat(http("header", "/", "-H", "X-Try: never")).doesNotStartWith("10.244.1.6 ");
        assertThat(http("value", "/", "-H", "X-Try: yes")).startsWith("10.244.1.6 ");
        assertThat(http("value", "/", "-H", "X-Try: always")).doesNotStartWith("10.244.1.6 ");
        assertThat(http("pattern", "/", "-H", "X-Try: b12")).startsWith("10.244.1.6 ");
        assertThat(http("pattern", "/", "-H", "X-Try: ab12")).doesNotStartWith("10.244.1.6 ");
        assertThat(http("cookie", "/", "-b", "tester=always")).startsWith("10.244.1.6 ");
        assertThat(http("cookie", "/", "-b", "tester=never")).doesNotStartWith("10.244.1.6 ");
    }

    @Test
    void requests_of_one_key_go_to_one_endpoint_and_keys_are_spread() {
        assertThat(distinct(12, _ -> http("hash", "/same"))).isEqualTo(1);
        assertThat(distinct(24, i -> http("hash", "/" + i))).isGreaterThan(1);
    }

    private static long distinct(int count, java.util.function.IntFunction<String> answers) {
        return IntStream.range(0, count)
                .mapToObj(answers)
                .map(text -> text.split(" ", 2)[0])
                .distinct()
                .count();
    }

    @Test
    void a_client_whose_endpoint_failed_is_given_another_for_good_only_where_asked() {
        // The cookie names an endpoint that does not answer.
        String dead = "INGRESSCOOKIE=" + md5("10.99.0.1:8080");
        assertThat(http("change", "/", "-i", "-b", dead)).contains("200 OK").contains("Set-Cookie: INGRESSCOOKIE=");
        assertThat(http("keep", "/", "-i", "-b", dead)).contains("200 OK").doesNotContain("Set-Cookie");
    }

    private static String md5(String text) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(java.security.MessageDigest.getInstance("MD5")
                            .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_mirror_gets_each_request_with_or_without_its_body() {
        assertThat(http("mirror", "/x", "-d", "12345")).startsWith("10.244.1.");
        assertThat(http("bodiless", "/x", "-d", "12345")).startsWith("10.244.1.");
        Door.until("mirrored", () -> endpoints.counted("bytes mirror") == 5);
        Door.until("mirrored without its body", () -> endpoints.counted("seen bodiless") == 1);
        assertThat(endpoints.counted("bytes bodiless")).isZero();
    }

    @Test
    void a_silent_ingress_has_no_line_in_the_log() {
        http("silent", "/quiet");
        http("last", "/loud");
        Callable<String> log = () -> Files.readString(door.folder.resolve("access.log"));
        Door.until("logged", () -> log.call().contains("/loud"));
        Door.until("not logged", () -> !log.call().contains("/quiet"));
    }

    @Test
    void no_more_requests_of_a_client_at_a_time_than_its_limit() {
        String slow = "http://busy.example.com:%d/slow".formatted(Door.HTTP);
        String all = Door.curl("--parallel", "--parallel-immediate", slow, slow, slow, slow, slow, slow);
        assertThat(all).contains("\n200 ").contains("\n503 ");
        Door.until("given back", () -> http("busy", "/").contains("\n200 "));
    }

    @Test
    void an_endpoint_sees_a_request_before_its_body_ends_only_where_asked() throws IOException {
        try (Socket early = half("early");
                Socket late = half("last")) {
            Door.until("early", () -> endpoints.counted("seen early") == 1);
            assertThat(endpoints.counted("seen last"))
                    .as("read to its end first")
                    .isZero();
            late.getOutputStream().write(new byte[50]);
            early.getOutputStream().write(new byte[50]);
            Door.until("late", () -> endpoints.counted("seen last") == 1);
        }
    }

    private static Socket half(String name) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Door.HTTP);
        socket.getOutputStream()
                .write("POST /seen/%1$s HTTP/1.1\r\nHost: %1$s.example.com\r\nContent-Length: 100\r\n\r\n"
                        .formatted(name)
                        .getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(new byte[50]);
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void an_answer_is_read_ahead_of_a_slow_client_only_where_asked() throws IOException {
        try (Socket ahead = asked("ahead");
                Socket step = asked("last")) {
            Door.until("read ahead", () -> endpoints.counted("written ahead") == 1);
            assertThat(endpoints.counted("written last"))
                    .as("as quick as its client")
                    .isZero();
            InputStream in = step.getInputStream();
            assertThat(in.readNBytes(64 << 20)).hasSize(64 << 20);
            Door.until("written", () -> endpoints.counted("written last") == 1);
            assertThat(ahead.isConnected()).isTrue();
        }
        assertThat(Files.readString(door.folder.resolve("nginx.conf"))).contains("proxy_buffers \"8\"");
    }

    private static Socket asked(String name) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Door.HTTP);
        socket.getOutputStream()
                .write("GET /large/%1$s HTTP/1.1\r\nHost: %1$s.example.com\r\n\r\n"
                        .formatted(name)
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    @Test
    void a_body_larger_than_its_buffer_goes_to_a_file() {
        assertThat(http("spill", "/", "-d", "x".repeat(4000))).contains("\n200 ");
        Door.until(
                "told by nginx",
                () -> Files.readString(door.folder.resolve("nginx.log"))
                        .contains("a client request body is buffered to a temporary file"));
    }

    @Test
    void an_endpoint_that_takes_no_connection_is_given_up_in_time() throws IOException {
        List<Socket> taken = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(8083, 1)) {
            // Until the kernel has no place for one more.
            for (boolean more = true; more && taken.size() < 20; ) {
                Socket socket = new Socket();
                taken.add(socket);
                try {
                    socket.connect(new InetSocketAddress("10.244.1.1", full.getLocalPort()), 300);
                } catch (SocketTimeoutException _) {
                    more = false;
                }
            }
            assertThat(http("connect", "/", "--max-time", "4.5"))
                    .as("five seconds if nothing is asked")
                    .contains("\n504 ");
        } finally {
            for (Socket socket : taken) {
                socket.close();
            }
        }
    }

    @Test
    void an_endpoint_that_reads_nothing_is_given_up_in_time() throws IOException {
        var file = Files.createTempFile("fl-body-", "");
        try {
            // More than all buffers on the way, and within the limit of this Ingress.
            Files.write(file, new byte[32 << 20]);
            assertThat(http("send", "/", "--data-binary", "@" + file, "--max-time", "20"))
                    .contains("\n504 ");
        } finally {
            Files.delete(file);
        }
    }
}
