package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.IpPort;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.ProxyServer.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ProxyServerTest {
    private static final IpPort ANY_PORT = IpPort.parse("127.0.0.1:0");

    private final TaskGroup tasks = new TaskGroup("test");
    private final ProxyServer server = ProxyServer.open(
            ANY_PORT,
            Map.of(
                    "/page", accept -> Answer.text(200, "accept=" + accept),
                    "/bug",
                            _ -> {
                                throw new IllegalStateException("planted");
                            }));

    @AfterEach
    void stop() {
        tasks.close();
    }

    @Test
    void a_page_is_answered() throws IOException {
        server.run(tasks);
        assertThat(ask("GET /page HTTP/1.0\r\nAccept: text/x\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\naccept=text/x");
        assertThat(ask("HEAD /page HTTP/1.0\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
    }

    @Test
    void an_unknown_page_is_answered_with_those_there_are() throws IOException {
        server.run(tasks);
        assertThat(ask("GET /pag HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 404").endsWith("there is /bug, /page\n");
    }

    @Test
    void a_page_with_a_bug_does_not_take_the_others_along() throws IOException {
        server.run(tasks);
        assertThat(ask("GET /bug HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 500");
        assertThat(ask("GET /page HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
    }

    @Test
    void a_client_that_stalls_keeps_no_other_client_waiting() throws IOException {
        server.run(tasks);
        try (Socket stalled = connect()) {
            stalled.getOutputStream().write("GET /pa".getBytes(StandardCharsets.US_ASCII));
            stalled.getOutputStream().flush();
            assertThat(ask("GET /page HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void a_taken_address_is_named() {
        assertThatExceptionOfType(ProxyException.class)
                .isThrownBy(() -> ProxyServer.open(server.address(), Map.of()))
                .withMessageStartingWith("cannot listen on " + server.address());
    }

    @Test
    void the_end_of_the_group_frees_the_address() {
        server.run(tasks);
        tasks.close();
        ProxyServer again = ProxyServer.open(server.address(), Map.of());
        try (TaskGroup group = new TaskGroup("again")) {
            again.run(group);
            assertThat(again.address()).isEqualTo(server.address());
        }
    }

    private String ask(String request) throws IOException {
        try (Socket socket = connect();
                InputStream answer = socket.getInputStream()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(
                InetAddress.getByAddress(server.address().ip().bytes()),
                server.address().port());
    }
}
