package io.fairlead.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import io.fairlead.api.AgentDoor;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Attacks on the agent's door, over real TLS: none ends the agent or keeps the API server out.
@Timeout(120)
final class SessionServerTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @TempDir
    private Path dir;

    private final TaskGroup tasks = new TaskGroup("agent");
    private Pki pki;
    private ServerSocket program;
    private int port;

    /// One pod, at whose port a program waits that never says anything.
    @BeforeEach
    void start() throws Exception {
        pki = Pki.open(dir.resolve("pki"));
        program = new ServerSocket(0, 1_000, HERE);
        Pods pods = name -> name.name().equals("web")
                ? Optional.of(new Pods.Pod(
                        new NamespacedName("default", "web"), "", List.of(Ip.parse("127.0.0.1")), List.of()))
                : Optional.empty();
        port = new SessionServer(pods, AgentDoor.CALLER, dir)
                .listen(IpPort.parse("127.0.0.1:0"), context("system:node:n1"), tasks);
    }

    @AfterEach
    void stop() throws IOException {
        tasks.close();
        program.close();
    }

    private SSLContext context(String name) throws Exception {
        var credential =
                pki.issueClient(new Subject(name, name.startsWith("system:node:") ? Set.of("system:nodes") : Set.of()));
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        Certificate[] chain = {credential.certificate()};
        own.setKeyEntry("me", credential.key(), new char[0], chain);
        own.setCertificateEntry("ca", pki.authority().certificate());
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own, new char[0]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(own);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private SSLSocket connect(SSLContext as) throws IOException {
        SSLSocket socket = (SSLSocket) as.getSocketFactory().createSocket(HERE, port);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private String ask(SSLContext as, String text) throws IOException {
        try (SSLSocket socket = connect(as)) {
            send(socket, text);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String dial(String user, int port) {
        return "GET /dial/default/web/%d HTTP/1.1\r\nFairlead-User: %s\r\n\r\n".formatted(port, user);
    }

    private void assertServes(SSLContext server) throws IOException {
        assertThat(ask(server, "GET /logs/default/nothing/c HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 404")
                .contains("is not on this node");
    }

    private static String firstLine(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Test
    void garbage_from_any_certificate_of_the_cluster_ends_nothing_but_its_connection() throws Exception {
        SSLContext server = context(AgentDoor.CALLER);
        SSLContext other = context("system:node:n2");
        for (SSLContext as : List.of(server, other)) {
            for (String garbage : List.of(
                    "garbage\r\n\r\n",
                    "\r\n\r\n",
                    "GET  HTTP/1.1\r\n\r\n",
                    "GET /%zz/%/ HTTP/1.1\r\n\r\n",
                    "GET /dial/default/web/99999999999999999999 HTTP/1.1\r\n\r\n",
                    "GET /dial/default/web/-1 HTTP/1.1\r\n\r\n",
                    "GET /logs HTTP/1.1\r\n\r\n",
                    "GET /exec/default/web/\u0000 HTTP/1.1\r\n\r\n",
                    "GET /logs/a b/c/d HTTP/1.1\r\n\r\n",
                    "GET /logs/default/web/c?sinceSeconds=999999999999999999 HTTP/1.1\r\n\r\n",
                    ": no name\r\n: at all\r\n\r\n")) {
                String answer = ask(as, garbage);
                assertThat(answer).as(garbage).matches("(?s)(HTTP/1\\.1 4\\d\\d .*)?");
            }
        }
        assertThat(tasks.faults().counts())
                .as("each was refused, none was a fault")
                .isEmpty();
        assertServes(server);
    }

    @Test
    void a_request_for_very_many_ports_is_refused_before_they_take_memory() throws Exception {
        String ports = "80,".repeat(9_000) + "80";
        String answer = ask(context(AgentDoor.CALLER), """
            GET /portforward/default/web?ports=%s HTTP/1.1\r
            Upgrade: websocket\r
            Sec-WebSocket-Key: x\r
            Sec-WebSocket-Protocol: v4.channel.k8s.io\r
            \r
            """.formatted(ports));
        assertThat(answer).startsWith("HTTP/1.1 400").contains("at most 100");
    }

    @Test
    void the_logs_of_the_node_are_shown_and_nothing_outside_their_folder() throws Exception {
        SSLContext server = context(AgentDoor.CALLER);
        Files.writeString(dir.resolve("agent.log"), "one line\n");
        Files.createDirectories(dir.resolve("sub"));
        Path outside = Files.writeString(Files.createTempFile("outside", ".txt"), "secret");
        Files.createSymbolicLink(dir.resolve("link"), outside);
        try {
            assertThat(ask(server, "GET /node/healthz HTTP/1.1\r\n\r\n")).endsWith("\r\n\r\nok");
            assertThat(ask(server, "GET /node/logs/ HTTP/1.1\r\n\r\n"))
                    .contains("text/html", "<a href=\"agent.log\">agent.log</a>", "<a href=\"sub/\">sub/</a>");
            assertThat(ask(server, "GET /node/logs/agent.log HTTP/1.1\r\n\r\n")).endsWith("one line\n");
            assertThat(ask(server, "GET /node/logs/sub HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 301")
                    .contains("Location: sub/");
            for (String path : List.of("link", "../pki", "%2e%2e/x", "nothing", "a%2f..%2f..%2fb")) {
                assertThat(ask(server, "GET /node/logs/%s HTTP/1.1\r\n\r\n".formatted(path)))
                        .as(path)
                        .startsWith("HTTP/1.1 4")
                        .doesNotContain("secret");
            }
        } finally {
            Files.delete(outside);
        }
    }

    @Test
    void random_bytes_end_nothing_but_their_connection() throws Exception {
        SSLContext server = context(AgentDoor.CALLER);
        Random random = new Random(1);
        for (int i = 0; i < 60; i++) {
            byte[] bytes = new byte[1 + random.nextInt(200)];
            random.nextBytes(bytes);
            try (SSLSocket socket = connect(server)) {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                // the agent cut it off: that is what a connection is for
            }
        }
        assertThat(tasks.faults().counts()).isEmpty();
        assertServes(server);
    }

    @Test
    void silent_connections_hold_up_no_one_and_are_ended() throws Exception {
        SSLContext server = context(AgentDoor.CALLER);
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 700; i++) {
                silent.add(new Socket(HERE, port));
            }
            long begin = System.nanoTime();
            assertServes(server);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
            Socket last = silent.getLast();
            last.setSoTimeout(60_000);
            assertThat(last.getInputStream().readAllBytes())
                    .as("ended by the agent, with no more than an alert")
                    .hasSizeLessThan(64);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void a_header_that_comes_byte_by_byte_has_an_end() throws Exception {
        try (SSLSocket slow = connect(context(AgentDoor.CALLER))) {
            long begin = System.nanoTime();
            boolean ended = false;
            send(slow, "GET /logs/default/web/c HTTP/1.1\r\nX: ");
            while (!ended && System.nanoTime() - begin < Duration.ofSeconds(60).toNanos()) {
                try {
                    send(slow, "x");
                    Thread.sleep(200);
                } catch (IOException e) {
                    ended = true;
                }
            }
            assertThat(ended).isTrue();
        }
    }

    @Test
    void two_users_do_not_fill_a_node() throws Exception {
        SSLContext server = context(AgentDoor.CALLER);
        List<SSLSocket> held = new ArrayList<>();
        try {
            for (String user : List.of("ann", "ben")) {
                for (int i = 0; i < 64; i++) {
                    SSLSocket socket = connect(server);
                    held.add(socket);
                    send(socket, dial(user, program.getLocalPort()));
                    assertThat(firstLine(socket)).startsWith("HTTP/1.1 101");
                }
                assertThat(ask(server, dial(user, program.getLocalPort()))).startsWith("HTTP/1.1 429");
            }
            try (SSLSocket third = connect(server)) {
                send(third, dial("cleo", program.getLocalPort()));
                assertThat(firstLine(third)).startsWith("HTTP/1.1 101");
            }
            held.removeFirst().close();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                try (SSLSocket again = connect(server)) {
                    send(again, dial("ann", program.getLocalPort()));
                    assertThat(firstLine(again)).startsWith("HTTP/1.1 101");
                }
            });
        } finally {
            for (SSLSocket socket : held) {
                socket.close();
            }
        }
    }
}
