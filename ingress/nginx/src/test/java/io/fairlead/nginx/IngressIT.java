package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.secret;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A real nginx on loopback.
@RequiresRoot
final class IngressIT {
    private static Endpoints endpoints;
    private Door door;

    @BeforeAll
    static void open() throws IOException {
        endpoints = new Endpoints();
    }

    @AfterAll
    static void shut() throws IOException {
        endpoints.close();
    }

    @BeforeEach
    void start() {
        door = new Door(Door.makeFolder());
        door.apply(Manifests.CLASS);
    }

    @AfterEach
    void stop() throws IOException {
        door.close();
    }

    private static String http(String host, String... more) {
        List<String> words = new ArrayList<>(List.of("http://%s:%d/".formatted(host, Door.HTTP)));
        words.addAll(List.of(more));
        return Door.curl(words.toArray(String[]::new));
    }

    @Test
    void each_request_of_each_scenario_becomes_what_it_says() throws IOException {
        try (Stream<Path> folders =
                Files.list(Path.of(System.getProperty("fairlead.root", "../..")).resolve("docs/scenarios"))) {
            for (Path folder : folders.filter(f -> Files.exists(f.resolve("ingress.txt")))
                    .sorted()
                    .toList()) {
                sendEach(folder);
            }
        }
    }

    private void sendEach(Path folder) throws IOException {
        door.offer(Door.with(Snapshot.EMPTY, Files.readString(folder.resolve("cluster.yaml"))));
        long before = door.controller.reloads();
        Door.until("fed", () -> http("marker.test").contains("404") || door.controller.reloads() > before);
        for (String line : Files.readAllLines(folder.resolve("ingress.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            Door.until(folder.getFileName() + ": " + line, () -> holds(line, "--http1.1"));
            // Over TLS as well, where HTTP/2 is; a redirect to TLS has no meaning there.
            if (!folder.endsWith("ingress-tls")) {
                String secure = line.replaceFirst("http://", "https://");
                Door.until(folder.getFileName() + ": " + secure, () -> holds(secure, "--http2"));
            }
        }
    }

    /// `from:` is the address that curl binds to; an answer is the address of the endpoint and what it saw.
    private boolean holds(String line, String version) {
        String[] halves = line.split(" => ", 2);
        String[] words = halves[0].split(" ", -1);
        String client = "198.51.100.10";
        List<String> more = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
            if (words[i].startsWith("from:")) {
                client = words[i].substring(5);
            } else {
                more.addAll(List.of("-H", words[i]));
            }
        }
        more.addAll(List.of("--interface", client, "--path-as-is", version));
        String port = words[1].startsWith("https") ? ":" + Door.HTTPS : ":" + Door.HTTP;
        more.add(words[1].replaceFirst("(://[^/]*)", "$1" + port));
        String answer = Door.curl(more.toArray(String[]::new));
        String last = answer.substring(answer.lastIndexOf('\n') + 1);
        if (version.equals("--http2") && !last.endsWith(" 2")) {
            return false;
        }
        String[] expected = halves[1].split(" ", 2);
        if (!expected[0].contains("/")) {
            String redirect = last.split(" ", -1)[1].replaceFirst("(https?://[^/:]*)(:[0-9]+)?", "$1");
            return last.startsWith(expected[0]) && (expected.length == 1 || redirect.endsWith(expected[1]));
        }
        String service = expected[0].replaceFirst("^default/", "").replaceFirst(":.*", "");
        String target = "10.244.1." + address(service);
        return last.startsWith("200") && answer.startsWith(target + " " + expected[1] + "\n");
    }

    private String address(String service) {
        return door.snapshot()
                .endpointSlices()
                .values()
                .filter(slice -> slice.service().name().equals(service))
                .flatMap(slice -> slice.endpoints().getFirst().addresses().stream())
                .map(ip -> ip.toString().replaceFirst(".*\\.", ""))
                .findFirst()
                .orElse("none");
    }

    @Test
    void an_endpoint_change_needs_no_reload_and_drops_no_websocket() throws IOException {
        door.apply(service("hello", 8081, "10.244.1.1") + ingress("door", "", "ws.example.com", ""));
        Door.until("served", () -> http("ws.example.com", "--max-time", "1").contains("101"));
        long reloads = door.settledReloads();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Door.HTTP)) {
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            out.write("GET / HTTP/1.1\r\nHost: ws.example.com\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
                    .getBytes(StandardCharsets.UTF_8));
            assertThat(Endpoints.readHead(in)).contains("101");
            for (int i = 0; i < 1000; i++) {
                door.apply(service("hello", 8081, "10.244.1." + (2 + i % 50)));
                out.write('a' + i % 26);
                out.flush();
                assertThat(in.read()).as("echo %d", i).isEqualTo('a' + i % 26);
            }
        }
        assertThat(door.controller.reloads()).isEqualTo(reloads);
    }

    @Test
    void requests_go_to_the_new_endpoint_at_once_and_to_all_in_turn() {
        door.apply(service("hello", 8080, "10.244.1.1") + ingress("door", "", "a.example.com", ""));
        Door.until("served", () -> http("a.example.com").startsWith("10.244.1.1 "));
        door.apply(service("hello", 8080, "10.244.1.7"));
        Door.until("moved", () -> http("a.example.com").startsWith("10.244.1.7 "));
        door.apply(service("hello", 8080, "10.244.1.1", "10.244.1.2", "10.244.1.3"));
        Door.until(
                "spread",
                () -> Stream.generate(() -> http("a.example.com").split(" ", 2)[0])
                                .limit(12)
                                .distinct()
                                .count()
                        == 3);
    }

    @Test
    void a_name_has_its_own_certificate_and_a_rotated_one_needs_no_reload() {
        String tls = "{hosts: [t.example.com], secretName: cert}, {hosts: [\"*.w.example.com\"], secretName: wild}";
        door.apply(service("hello", 8080, "10.244.1.1")
                + secret("cert", Door.certificate("first.test"))
                + secret("wild", Door.certificate("wild.test"))
                + ingress("door", "", "t.example.com", tls));
        Door.until("certificate", () -> shown("t.example.com").contains("first.test"));
        assertThat(shown("x.w.example.com")).contains("wild.test");
        assertThat(shown("unknown.example.org")).contains("default.test");
        long reloads = door.settledReloads();
        door.apply(secret("cert", Door.certificate("second.test")));
        Door.until("rotated", () -> shown("t.example.com").contains("second.test"));
        assertThat(door.controller.reloads()).isEqualTo(reloads);
        String answer = Door.curl("--http2", "https://t.example.com:%d/".formatted(Door.HTTPS));
        assertThat(answer).startsWith("10.244.1.1 /").endsWith("200  2");
        assertThat(Door.curl("-i", "https://t.example.com:%d/".formatted(Door.HTTPS)))
                .containsIgnoringCase("Strict-Transport-Security: max-age=31536000; includeSubDomains");
        assertThat(http("t.example.com", "-i")).doesNotContain("Strict-Transport");
        assertThat(http("t.example.com")).contains("308 https://t.example.com/");
    }

    private static String shown(String name) {
        return Command.run(
                        List.of("openssl", "s_client", "-connect", "127.0.0.1:" + Door.HTTPS, "-servername", name), "")
                .output();
    }

    @Test
    void a_killed_nginx_is_back_within_a_second_with_all_it_knew() {
        door.apply(service("hello", 8080, "10.244.1.1") + ingress("door", "", "k.example.com", ""));
        Door.until("served", () -> http("k.example.com").startsWith("10.244.1.1 "));
        long pid = door.pid();
        Command.run(List.of("kill", "-9", Long.toString(pid)), "");
        long killed = System.nanoTime();
        Door.until("another master", () -> door.pid() > 0 && door.pid() != pid);
        Door.until("served again", () -> http("k.example.com").startsWith("10.244.1.1 "));
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void nginx_serves_on_without_a_controller_and_a_new_one_goes_on_with_it() {
        door.apply(service("hello", 8080, "10.244.1.1") + ingress("door", "", "c.example.com", ""));
        Door.until("served", () -> http("c.example.com").startsWith("10.244.1.1 "));
        long pid = door.pid();
        Snapshot snapshot = door.snapshot();
        door.abandon();
        assertThat(http("c.example.com")).startsWith("10.244.1.1 ");
        door = door.successor();
        door.offer(Door.with(snapshot, service("hello", 8080, "10.244.1.9")));
        Door.until("moved", () -> http("c.example.com").startsWith("10.244.1.9 "));
        assertThat(door.pid()).isEqualTo(pid);
    }

    @Test
    void a_broken_configuration_on_disk_gives_way_to_the_last_good_one() throws IOException {
        door.apply(service("hello", 8080, "10.244.1.1")
                + ingress("door", "fairlead.io/proxy-body-size: 8m", "b.example.com", ""));
        Door.until("served", () -> http("b.example.com").startsWith("10.244.1.1 "));
        long pid = door.pid();
        Files.writeString(door.folder.resolve("nginx.conf"), "http { broken");
        Command.run(List.of("kill", "-9", Long.toString(pid)), "");
        Door.until("another master", () -> door.pid() > 0 && door.pid() != pid);
        Door.until("served again", () -> http("b.example.com").startsWith("10.244.1.1 "));
    }

    @Test
    void a_bad_ingress_is_left_out_alone() {
        door.apply(service("hello", 8080, "10.244.1.1")
                + ingress("good", "", "good.example.com", "")
                + ingress("bad", "fairlead.io/proxy-body-size: \"8m; }\"", "bad.example.com", "")
                // Within the grammar, and too much for nginx: it takes no size of so many gigabytes.
                + ingress("huge", "fairlead.io/proxy-buffer-size: 999999999g", "huge.example.com", "")
                + ingress("other", "fairlead.io/proxy-body-size: 9m", "other.example.com", ""));
        Door.until("served", () -> http("good.example.com").startsWith("10.244.1.1 "));
        Door.until("served too", () -> http("other.example.com").startsWith("10.244.1.1 "));
        assertThat(http("bad.example.com")).contains("404");
        assertThat(http("huge.example.com")).contains("404");
    }

    @Test
    void who_may_ask_and_how_much_is_kept_by_nginx() {
        door.apply(service("hello", 8080, "10.244.1.1", "10.244.1.2", "10.244.1.3")
                + secret("users", "none")
                + ingress(
                        "basic",
                        "fairlead.io/auth-type: basic, fairlead.io/auth-secret: users",
                        "basic.example.com",
                        "")
                + ingress("size", "fairlead.io/proxy-body-size: 1k", "size.example.com", "")
                + ingress("large", "fairlead.io/proxy-body-size: 8m", "large.example.com", "")
                + ingress("usual", "", "usual.example.com", "")
                + ingress(
                        "limit",
                        "fairlead.io/limit-rps: \"1\", fairlead.io/limit-burst-multiplier: \"2\"",
                        "limit.example.com",
                        ""));
        Door.until("basic", () -> http("basic.example.com").contains("401"));
        assertThat(http("basic.example.com", "-u", "user:secret")).startsWith("10.244.1.");
        assertThat(http("basic.example.com", "-u", "user:wrong")).contains("401");
        Door.until("size", () -> http("size.example.com").startsWith("10.244.1."));
        assertThat(http("size.example.com", "-d", "x".repeat(2000))).contains("413");
        assertThat(http("size.example.com", "-H", "Transfer-Encoding: chunked", "-d", "x".repeat(2000)))
                .contains("413");
        assertThat(http("size.example.com")).contains("X-forwarded-for: 127.0.0.1");
        String twoMegabytes = "@" + large(2 << 20);
        assertThat(http("usual.example.com", "--data-binary", twoMegabytes)).contains("413");
        Door.until(
                "large",
                () -> http("large.example.com", "--data-binary", twoMegabytes).startsWith("10.244.1."));
        assertThat(Stream.generate(() -> http("limit.example.com"))
                        .limit(5)
                        .filter(a -> a.contains("503"))
                        .count())
                .isBetween(1L, 4L);
    }

    @Test
    void who_answers_and_what_is_said_of_origins_is_kept_by_nginx() {
        door.apply(service("hello", 8080, "10.244.1.1", "10.244.1.2", "10.244.1.3")
                + ingress("cookie", "fairlead.io/affinity: cookie", "cookie.example.com", "")
                + ingress("hash", "fairlead.io/upstream-hash-by: $request_uri", "hash.example.com", "")
                + ingress(
                        "cors",
                        "fairlead.io/enable-cors: \"true\", fairlead.io/cors-allow-origin: \"https://*.a.test\"",
                        "cors.example.com",
                        "")
                + ingress("vhost", "fairlead.io/upstream-vhost: inner.test", "vhost.example.com", "")
                + ingress("ewma", "fairlead.io/load-balance: ewma", "ewma.example.com", ""));
        Door.until("cookie", () -> http("cookie.example.com", "-i").contains("Set-Cookie: "));
        String cookie = http("cookie.example.com", "-i").replaceFirst("(?s).*Set-Cookie: ([^;]*);.*", "$1");
        assertThat(cookie).startsWith("INGRESSCOOKIE=");
        assertThat(distinct(() -> http("cookie.example.com", "-b", cookie))).isEqualTo(1);
        assertThat(distinct(() -> http("hash.example.com"))).isEqualTo(1);
        assertThat(http("cors.example.com", "-i", "-H", "Origin: https://x.a.test"))
                .contains("Access-Control-Allow-Origin: https://x.a.test");
        assertThat(http("cors.example.com", "-i", "-H", "Origin: https://evil.test"))
                .doesNotContain("Allow-Origin");
        assertThat(http("vhost.example.com")).contains("Host: inner.test");
        assertThat(http("ewma.example.com")).startsWith("10.244.1.");
    }

    @Test
    void another_server_is_asked_and_another_answers_for_errors() {
        door.apply(service("hello", 8080, "10.244.1.1")
                + service("errors", 8080, "10.244.1.5")
                + ingress(
                        "asked",
                        "fairlead.io/auth-url: \"http://10.244.1.9:8080/alice\", "
                                + "fairlead.io/auth-response-headers: X-User",
                        "asked.example.com",
                        "")
                + ingress(
                        "denied",
                        "fairlead.io/auth-url: \"http://10.244.1.9:8080/401\", "
                                + "fairlead.io/auth-signin: \"https://login.test/in\"",
                        "denied.example.com",
                        "")
                + ingress(
                        "errors",
                        "fairlead.io/custom-http-errors: \"503\", fairlead.io/default-backend: errors",
                        "errors.example.com",
                        ""));
        Door.until(
                "asked", () -> http("asked.example.com", "-H", "X-User: evil").contains("X-user: alice"));
        Door.until("sent to sign in", () -> http("denied.example.com").contains("302 https://login.test/in?rd="));
        Door.until("other answer", () -> http("errors.example.com").contains("X-code: 503"));
        assertThat(http("errors.example.com")).startsWith("10.244.1.5 ");
    }

    private Path large(int bytes) {
        try {
            return Files.write(door.folder.resolve("large"), new byte[bytes]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long distinct(java.util.function.Supplier<String> answers) {
        return Stream.generate(answers)
                .limit(8)
                .map(text -> text.split(" ", 2)[0])
                .distinct()
                .count();
    }

    @Test
    void grpc_reaches_an_endpoint_that_speaks_http_2_alone() {
        door.apply(service("hello", 8082, "10.244.1.1")
                + ingress("door", "fairlead.io/backend-protocol: GRPC", "g.example.com", ""));
        Door.until(
                "served",
                () -> Door.curl(
                                "--http2",
                                "-i",
                                "-H",
                                "Content-Type: application/grpc",
                                "-H",
                                "TE: trailers",
                                "--data-binary",
                                "x",
                                "https://g.example.com:%d/pkg.Service/Method".formatted(Door.HTTPS))
                        .contains("10.244.1.1 HTTP/2.0 http  /pkg.Service/Method"));
    }

    @Test
    void requests_are_counted_by_ingress_service_and_code() {
        door.apply(service("hello", 8080, "10.244.1.1") + ingress("door", "", "m.example.com", ""));
        Door.until("served", () -> http("m.example.com").startsWith("10.244.1.1 "));
        Door.until(
                "counted",
                () -> door.controller
                        .metrics()
                        .contains(
                                "fairlead_ingress_requests_total{ingress=\"default/door\",service=\"default/hello:80\","
                                        + "status=\"200\"}"));
    }
}
