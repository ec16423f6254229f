package io.fairlead.conformance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Clients without a name that hold connections: the server ends them in time, and answers the administrator meanwhile.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StrangersIT {
    /// With so many, the server once answered no client any more.
    private static final int EACH = 70;

    /// The deadlines are 10 and 20 s; the machine may be busy.
    private static final int PATIENCE_SECONDS = 90;

    private static final Duration QUICK = Duration.ofSeconds(5);

    @AutoClose
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private AttackedServer server;
    private Intruder stranger;
    private Intruder admin;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = AttackedServer.start(folder);
        stranger = server.client("");
        admin = server.client("admin");
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    /// What the server says until it ends the connection; it fails if the server does not.
    private static String untilItsEnd(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_SECONDS * 1000);
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (SocketException reset) {
            return "reset";
        }
    }

    private List<Future<String>> held(Callable<? extends Socket> connection) throws Exception {
        List<Future<String>> all = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            Socket socket = connection.call();
            all.add(threads.submit(() -> untilItsEnd(socket)));
        }
        return all;
    }

    private static void assertEnded(List<Future<String>> connections, String said) throws Exception {
        for (Future<String> connection : connections) {
            assertThat(connection.get(PATIENCE_SECONDS + 10, TimeUnit.SECONDS)).contains(said);
        }
    }

    @Test
    void silent_and_slow_connections_are_ended_and_hold_up_no_one() throws Exception {
        List<Future<String>> silent = held(stranger::connect);
        List<Future<String>> greeted = held(stranger::greet);
        List<Future<String>> header = held(() -> stranger.say("GET /version HTTP/1.1\r\nHost: x\r\nX-Slow: "));
        List<Future<String>> bodiless =
                held(() -> stranger.say("GET /version HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"));
        List<Future<String>> refused = held(() -> stranger.say(
                "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"));
        assertThat(AttackedServer.slowest(admin, 50, "/api/v1/namespaces/default/configmaps"))
                .isLessThan(QUICK);
        assertEnded(silent, "");
        assertEnded(greeted, "");
        assertEnded(header, "");
        assertEnded(bodiless, "HTTP/1.1 200");
        assertEnded(refused, "HTTP/1.1 403");
    }

    @Test
    void a_second_header_that_comes_byte_by_byte_ends_its_connection() throws Exception {
        SSLSocket socket = stranger.say("GET /version HTTP/1.1\r\nHost: x\r\n\r\n");
        Future<String> said = threads.submit(() -> untilItsEnd(socket));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        boolean ended = false;
        for (int i = 0; !ended && System.nanoTime() < end; i++) {
            try {
                stranger.write(socket, i == 0 ? "GET /version HTTP/1.1\r\nX: " : "a");
                Thread.sleep(500); // the pace of the attack: Jetty's own timeout begins anew with each byte
            } catch (IOException e) {
                ended = true;
            }
        }
        assertThat(ended).as("the server ended it").isTrue();
        assertThat(said.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("HTTP/1.1 200");
    }

    @Test
    void a_body_that_trickles_is_not_waited_for() throws Exception {
        SSLSocket socket = admin.say("""
            POST /api/v1/namespaces/default/configmaps HTTP/1.1\r
            Host: x\r
            Authorization: Bearer TOKEN\r
            Content-Type: application/json\r
            Content-Length: 100000\r
            \r
            """);
        Future<String> said = threads.submit(() -> untilItsEnd(socket));
        for (int i = 0; !said.isDone() && i < 2 * PATIENCE_SECONDS; i++) {
            try {
                admin.write(socket, " ");
                Thread.sleep(500); // the pace of the attack
            } catch (IOException e) {
                break;
            }
        }
        assertThat(said.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).containsAnyOf("HTTP/1.1 408", "reset");
    }

    /// CVE-2023-44487: requests that are taken back at once cost the client nothing.
    @Test
    void a_client_that_takes_its_requests_back_again_and_again_is_cut_off() throws Exception {
        SSLSocket socket = stranger.greet("h2");
        Future<String> heard = threads.submit(() -> untilItsEnd(socket));
        Future<Integer> sent = threads.submit(() -> resets(socket));
        assertThat(AttackedServer.slowest(admin, 50, "/api/v1/namespaces/default/configmaps"))
                .isLessThan(QUICK);
        assertThat(sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("it could send no more than so many")
                .isLessThan(MOST_RESETS);
        heard.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(admin.get("/livez").code()).isEqualTo(200);
    }

    private static final int MOST_RESETS = 400_000;

    /// Sends pairs of a request and its end until the connection breaks; how many it sent.
    private static int resets(SSLSocket socket) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(buffer);
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        frame(out, 4, 0, 0, new byte[0]);
        int sent = 0;
        try {
            while (sent < MOST_RESETS) {
                for (int i = 0; i < 500; i++, sent++) {
                    int stream = 2 * sent + 1;
                    // GET, https, "/", without an authority: indexes 2, 7 and 4 of HPACK's table
                    frame(out, 1, 5, stream, new byte[] {(byte) 0x82, (byte) 0x87, (byte) 0x84});
                    frame(out, 3, 0, stream, new byte[] {0, 0, 0, 8});
                }
                socket.getOutputStream().write(buffer.toByteArray());
                buffer.reset();
            }
        } catch (IOException cut) {
            return sent;
        }
        return sent;
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(0);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    /// Each of them once took the server's thread, or its memory, for as long as it liked.
    @Test
    void requests_without_a_name_are_refused_before_their_bodies_are_read() throws Exception {
        long begin = System.nanoTime();
        try (SSLSocket socket = stranger.say(
                "POST /api/v1/namespaces/default/pods HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")) {
            socket.setSoTimeout(PATIENCE_SECONDS * 1000);
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 403");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(QUICK);
    }
}
