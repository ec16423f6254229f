package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LimitsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String MAP = "{\"metadata\":{\"name\":\"m\"}}";

    private static TestServer start(Limits limits) throws InterruptedException {
        return TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT).withLimits(limits));
    }

    private static Socket connect(TestServer server) throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /// A write that is being answered as long as its body does not come.
    private static Socket slowWrite(TestServer server) throws IOException {
        Socket socket = connect(server);
        send(
                socket,
                "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(MAPS, MAP.length()));
        return socket;
    }

    @Test
    void who_comes_while_all_places_are_taken_is_told_to_come_back() throws Exception {
        try (TestServer server = start(new Limits(100, 50, 3, Duration.ofMillis(50)))) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                slow.add(slowWrite(server));
            }
            await().until(() -> server.post(MAPS + "?dryRun=All", MAP).code() == 429);

            var refused = server.raw("POST", MAPS);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            var told = server.post(MAPS, MAP);
            assertThat(told.text("reason")).isEqualTo("TooManyRequests");
            assertThat(told.number("details", "retryAfterSeconds")).isEqualTo(1);
            assertThat(server.get(MAPS).code())
                    .as("reads have places of their own")
                    .isEqualTo(200);
            try (WatchReader watch = server.watch(MAPS)) {
                assertThat(watch.code()).isEqualTo(200);
            }

            for (Socket socket : slow) {
                send(socket, MAP);
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                socket.close();
            }
            await().until(() -> server.post(MAPS + "?dryRun=All", MAP).code() != 429);
        }
    }

    @Test
    void a_connection_over_the_limit_waits_until_another_one_ends() throws Exception {
        try (TestServer server = start(new Limits(2, 50, 50));
                Socket first = connect(server);
                Socket second = connect(server)) {
            answered(first);
            answered(second);
            try (Socket third = connect(server)) {
                third.setSoTimeout(300);
                send(third, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThatThrownBy(() -> third.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                third.setSoTimeout(30_000);
                first.shutdownOutput(); // the server ends a connection on which nothing more comes
                assertThat(third.getInputStream().read()).isEqualTo('H');
            }
        }
    }

    private static void answered(Socket socket) throws IOException {
        send(socket, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(socket.getInputStream().read()).isEqualTo('H');
    }

    @Test
    void a_limit_of_nothing_is_refused() {
        assertThatThrownBy(() -> new Limits(1, 0, 1)).hasMessageContaining("0 reads");
    }
}
