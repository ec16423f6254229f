package io.fairlead.store;

import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What goes over the wire to Redis, and what happens when Redis does not take it.
@Timeout(30)
final class RedisPublisherTest {
    private static void answer(Socket socket) throws IOException {
        socket.getOutputStream().write(":0\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String read(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static RedisChannel channel(int port) {
        return RedisChannel.parse("redis://127.0.0.1:" + port + "/changes");
    }

    @Test
    void a_key_with_quotes_stays_one_string() {
        Store.Stored role =
                new Store.Stored("roles/default/a\"b\\", "{}".getBytes(StandardCharsets.UTF_8), new Revision(1));
        byte[] message = RedisPublisher.message(new Store.Change.Put(role, Optional.empty()));
        assertThat(Json.text(Json.parse(message), "key")).isEqualTo(role.key());
    }

    @Test
    void a_change_is_one_publish_command_and_a_secret_goes_without_its_content() throws Exception {
        try (ServerSocket redis = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Store store = new MemoryStore();
                TaskGroup tasks = new TaskGroup("test")) {
            new RedisPublisher(store, channel(redis.getLocalPort())).start(tasks);
            Revision web = putNew(store, "services/default/web", "{}");
            putNew(store, "secrets/default/key", "{\"hidden\":1}");
            store.delete("services/default/web", web);
            try (Socket socket = redis.accept()) {
                for (String message : new String[] {
                    "{\"type\":\"PUT\",\"key\":\"services/default/web\",\"revision\":\"1\",\"object\":{}}",
                    "{\"type\":\"PUT\",\"key\":\"secrets/default/key\",\"revision\":\"2\"}",
                    "{\"type\":\"DELETE\",\"key\":\"services/default/web\",\"revision\":\"3\"}"
                }) {
                    String command = "*3\r\n$7\r\nPUBLISH\r\n$7\r\nchanges\r\n$%d\r\n%s\r\n"
                            .formatted(message.length(), message);
                    assertThat(read(socket.getInputStream(), command.length())).isEqualTo(command);
                    answer(socket);
                }
            }
        }
    }

    @Test
    void a_redis_that_is_away_holds_up_no_write_and_the_oldest_changes_are_dropped() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Store store = new MemoryStore();
                TaskGroup tasks = new TaskGroup("test")) {
            RedisPublisher publisher = new RedisPublisher(store, channel(port));
            publisher.start(tasks);
            Revision revision = putNew(store, "a", "0");
            for (int i = 1; i < 1_500; i++) {
                revision = put(store, "a", Integer.toString(i), revision);
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> publisher.dropped() == 1_500 - 1_024);
            try (ServerSocket redis = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    Socket socket = redis.accept()) {
                String head = "*3\r\n$7\r\nPUBLISH\r\n$7\r\nchanges\r\n";
                String first = read(socket.getInputStream(), head.length() + 60);
                assertThat(first).contains("\"revision\":\"477\"");
            }
        }
    }

    @Test
    void a_location_names_a_host_and_may_name_port_and_channel() {
        assertThat(RedisChannel.parse("redis://bus")).isEqualTo(new RedisChannel("bus", 6379, "fairlead"));
        assertThat(RedisChannel.parse("redis://bus:7000/changes")).isEqualTo(new RedisChannel("bus", 7000, "changes"));
        assertThatThrownBy(() -> RedisChannel.parse("http://bus"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"http://bus\" is no channel: redis://HOST[:PORT][/CHANNEL]");
    }
}
