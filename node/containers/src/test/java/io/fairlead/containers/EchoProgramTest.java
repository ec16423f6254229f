package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program of `fairlead/echo`, on the loopback.
final class EchoProgramTest {
    @TempDir
    private Path folder;

    private int port;
    private Process echo;

    @BeforeEach
    void start() throws IOException {
        port = freePort();
        Programs.unpack(folder);
        ProcessBuilder builder = new ProcessBuilder(
                        "perl", folder.resolve("echo.pl").toString(), port + "/TCP", port + "/UDP")
                .redirectErrorStream(true);
        builder.environment().put("POD_NAME", "web-1");
        builder.environment().put("POD_IP", "10.1.0.2");
        builder.environment().put("HOSTNAME", "web");
        builder.environment().put("FAIRLEAD_LINGER_SECONDS", "1");
        echo = builder.start();
        BufferedReader output = echo.inputReader();
        assertThat(output.readLine()).isEqualTo("listening on %d/TCP".formatted(port));
        assertThat(output.readLine()).isEqualTo("listening on %d/UDP".formatted(port));
    }

    @AfterEach
    void stop() throws InterruptedException {
        echo.destroyForcibly().waitFor();
    }

    @Test
    void it_says_who_answered_and_who_asked() throws IOException {
        assertThat(get("127.0.0.1"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("hostname: web\npod: web-1\naddress: 10.1.0.2\nclient: 127.0.0.1\nrequest: GET /x\n");
    }

    @Test
    void a_request_that_is_none_is_told_so() throws IOException {
        assertThat(exchange("127.0.0.1", "hello\r\n\r\n")).startsWith("HTTP/1.1 400");
    }

    @Test
    void the_answer_waits_for_the_whole_body() throws IOException {
        try (Socket socket = connect("127.0.0.1")) {
            send(socket, "POST /x HTTP/1.1\r\nContent-Length: 4\r\n\r\nab");
            socket.getOutputStream().flush();
            send(socket, "cd");
            assertThat(readAll(socket)).contains("request: POST /x");
        }
    }

    @Test
    void silent_connections_do_not_keep_others_out() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 900; i++) {
                silent.add(connect("127.0.0.1"));
            }
            assertThat(get("127.0.0.1")).contains("200 OK");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void a_datagram_comes_back_with_who_answered() throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(5_000);
            byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
            socket.send(new DatagramPacket(hello, hello.length, InetAddress.getLoopbackAddress(), port));
            DatagramPacket answer = new DatagramPacket(new byte[1500], 1500);
            socket.receive(answer);
            assertThat(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8))
                    .contains("pod: web-1\n")
                    .endsWith("\n\nhello");
        }
    }

    @Test
    void asked_to_end_it_still_answers_for_a_while_and_then_ends_well() throws Exception {
        echo.destroy();

        assertThat(get("127.0.0.1")).contains("200 OK");
        assertThat(echo.waitFor()).isZero();
    }

    private String get(String host) throws IOException {
        return exchange(host, "GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    private String exchange(String host, String request) throws IOException {
        try (Socket socket = connect(host)) {
            send(socket, request);
            return readAll(socket);
        }
    }

    private Socket connect(String host) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(host, port), 5_000);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
