package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.secret;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NamespacedName;
import io.fairlead.kernel.Command;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.RequiresRoot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What holds for all Ingresses: the ConfigMap, the default certificate, and ports that are led on as they are.
@RequiresRoot
final class GlobalOptionsIT {
    private Endpoints endpoints;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        endpoints = new Endpoints();
        door = new Door(Door.config(
                Door.makeFolder(),
                true,
                new IngressConfig.Sources(name("settings"), name("tcp"), name("udp"), name("chosen"))));
        door.apply(Manifests.CLASS
                + service("hello", 8080, "10.244.1.1")
                + secret("chosen", Door.certificate("chosen.test"))
                + ingress("door", "", "a.example.com", "")
                + ingress("tls", "", "t.example.com", "{hosts: [t.example.com], secretName: none}"));
        Door.until("served", () -> http("/").contains("\n200 "));
    }

    private static NamespacedName name(String name) {
        return new NamespacedName("default", name);
    }

    @AfterEach
    void stop() throws IOException {
        door.close();
        endpoints.close();
    }

    private static String http(String path, String... more) {
        List<String> words = new ArrayList<>(List.of("-i", "http://a.example.com:%d%s".formatted(Door.HTTP, path)));
        words.addAll(List.of(more));
        return Door.curl(words.toArray(String[]::new));
    }

    private static String https(String... more) {
        List<String> words = new ArrayList<>(List.of("-i", "https://a.example.com:%d/".formatted(Door.HTTPS)));
        words.addAll(List.of(more));
        return Door.curl(words.toArray(String[]::new));
    }

    private void configure(String name, String values) {
        door.apply(
                "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {%s}}\n".formatted(name, values));
    }

    /// Says it to nginx by way of the ConfigMap, and waits until workers run by it.
    private void set(String values) {
        long before = door.settledReloads();
        configure("settings", values);
        Door.until("reloaded", () -> door.controller.reloads() > before);
        door.settledReloads();
    }

    @Test
    void the_default_certificate_is_shown_for_names_without_one() {
        String shown = Command.run(
                        List.of("openssl", "s_client", "-connect", "127.0.0.1:" + Door.HTTPS, "-servername", "x.test"),
                        "")
                .output();
        assertThat(shown).contains("chosen.test");
    }

    @Test
    void tls_http_2_and_hsts_are_modern_and_may_be_changed() {
        assertThat(https()).endsWith("200  2").contains("max-age=31536000; includeSubDomains");
        assertThat(https("--http1.1")).endsWith("200  1.1");
        assertThat(https("--tls-max", "1.2")).contains("\n200 ");
        assertThat(https("--tls-max", "1.1")).as("no answer").doesNotContain("HTTP/");
        assertThat(Door.curl("http://t.example.com:%d/".formatted(Door.HTTP))).contains("\n308 ");
        set("use-http2: 'false', ssl-protocols: TLSv1.3, hsts-max-age: '60', hsts-include-subdomains: 'false',"
                + " hsts-preload: 'true', ssl-redirect: 'false'");
        assertThat(https()).endsWith("200  1.1").contains("Strict-Transport-Security: max-age=60; preload");
        assertThat(https("--tls-max", "1.2")).doesNotContain("HTTP/");
        assertThat(Door.curl("http://t.example.com:%d/".formatted(Door.HTTP))).contains("\n200 ");
        set("hsts: 'false'");
        assertThat(https()).doesNotContainIgnoringCase("Strict-Transport");
    }

    @Test
    void the_client_address_is_what_a_trusted_proxy_says_and_no_other() throws IOException {
        String[] told = {"-H", "X-Forwarded-For: 203.0.113.9", "-H", "X-Forwarded-Proto: https"};
        assertThat(http("/", told))
                .contains("X-real-ip: 127.0.0.1")
                .contains("X-forwarded-for: 127.0.0.1")
                .contains("X-forwarded-proto: http\n");
        set("use-forwarded-headers: 'true', proxy-real-ip-cidr: 127.0.0.0/8");
        assertThat(http("/", told)).contains("X-real-ip: 203.0.113.9").contains("X-forwarded-proto: https\n");
        assertThat(http("/", "-H", "X-Forwarded-For: 203.0.113.9", "--interface", "10.1.2.3"))
                .contains("X-real-ip: 10.1.2.3");
        set("use-proxy-protocol: 'true', proxy-real-ip-cidr: 127.0.0.0/8");
        assertThat(said(
                        Door.HTTP,
                        "PROXY TCP4 203.0.113.7 203.0.113.8 1000 80\r\n"
                                + "GET / HTTP/1.0\r\nHost: a.example.com\r\n\r\n"))
                .contains("X-real-ip: 203.0.113.7");
    }

    private static String said(int port, String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void sizes_logs_compression_and_connections_follow_the_config_map() {
        assertThat(http("/text", "--compressed")).doesNotContain("Content-Encoding");
        set("proxy-body-size: 1k, use-gzip: 'true', server-tokens: 'true', keep-alive-requests: '1',"
                + " large-client-header-buffers: 2 1k, worker-processes: '1', disable-access-log: 'true',"
                + " no-such-key: x, proxy-read-timeout: wrong");
        assertThat(http("/", "-d", "x".repeat(2000))).contains("\n413 ");
        assertThat(http("/text", "--compressed")).contains("Content-Encoding: gzip");
        assertThat(http("/")).contains("Server: nginx/1.").contains("Connection: close");
        assertThat(http("/", "-H", "X-Long: " + "x".repeat(3000))).contains("\n400 ");
        Door.until(
                "one worker",
                () -> ProcessHandle.of(door.pid()).orElseThrow().children().count() == 1);
        assertThat(door.folder.resolve("nginx.conf")).content().contains("access_log \"off\"");
    }

    @Test
    void ports_of_tcp_and_udp_are_led_to_their_services_with_the_client_named_where_asked() throws Exception {
        try (TaskGroup tasks = new TaskGroup("raw");
                ServerSocket raw = new ServerSocket(8085);
                DatagramSocket udp = new DatagramSocket(8086, InetAddress.ofLiteral("10.244.1.30"))) {
            tasks.run("tcp", () -> answerTcp(raw));
            tasks.run("udp", () -> answerUdp(udp));
            door.apply("""
                ---
                {apiVersion: v1, kind: Service, metadata: {name: raw}, spec: {clusterIP: 10.244.1.30, ports: [
                  {name: tcp, port: 8085}, {name: udp, port: 8086, protocol: UDP}]}}
                """);
            configure(
                    "tcp",
                    "'18200': default/raw:tcp, '18202': 'default/raw:8085:PROXY:PROXY', '18080': default/raw:tcp");
            configure("udp", "'18201': default/raw:udp");
            Door.until("tcp", () -> tried(() -> said(18200, "hello\n")).equals("heard hello"));
            assertThat(said(18202, "PROXY TCP4 203.0.113.7 203.0.113.8 1000 80\r\nhello\n"))
                    .startsWith("heard PROXY TCP4 203.0.113.7 ");
            Door.until("udp", () -> tried(() -> asked(18201, "ping")).equals("heard ping"));
            assertThat(http("/")).as("a port of ours is not given away").contains("\n200 ");
        }
    }

    private static String tried(Callable<String> request) {
        try {
            return request.call();
        } catch (Exception e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void answerTcp(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
                socket.getOutputStream().write(("heard " + line).getBytes(StandardCharsets.UTF_8));
            } catch (IOException _) {
                // The other side is gone, or we are.
            }
        }
    }

    private static void answerUdp(DatagramSocket socket) {
        DatagramPacket packet = new DatagramPacket(new byte[1000], 1000);
        while (!socket.isClosed()) {
            try {
                socket.receive(packet);
                byte[] text = ("heard " + new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8);
                socket.send(new DatagramPacket(text, text.length, packet.getSocketAddress()));
            } catch (IOException _) {
                // It is closed.
            }
        }
    }

    private static String asked(int port, String text) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(3_000);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
            DatagramPacket answer = new DatagramPacket(new byte[1000], 1000);
            socket.receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
        }
    }
}
