package io.fairlead.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.runtime.TaskGroup;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bytes that no honest client sends: each decoder ends with a message or an IOException, and in bounded time.
/// `-Dfuzz.rounds=N` sends more of them; the seed is in the message of a failure.
@Timeout(600)
final class HostileBytesTest {
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 3_000);

    private interface Decoder {
        void read(InputStream in) throws Exception;
    }

    private static void attack(List<byte[]> samples, Decoder decoder) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            byte[] bytes = mutant(samples, new Random(seed));
            try {
                decoder.read(new ByteArrayInputStream(bytes));
            } catch (IOException e) {
                // that is how a decoder refuses
            } catch (Throwable e) {
                throw new AssertionError(
                        "seed %d: %s".formatted(seed, HexFormat.of().formatHex(bytes)), e);
            }
        }
    }

    /// A sample with some bytes changed, cut, repeated or put in; one in four is all random.
    private static byte[] mutant(List<byte[]> samples, Random random) {
        if (random.nextInt(4) == 0) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            return bytes;
        }
        byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
        for (int i = random.nextInt(6); i >= 0 && bytes.length > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0);
                case 2 -> bytes = java.util.Arrays.copyOf(bytes, at);
                default -> {
                    byte[] more = new byte[bytes.length + 1];
                    System.arraycopy(bytes, 0, more, 0, at);
                    more[at] = (byte) random.nextInt();
                    System.arraycopy(bytes, at, more, at + 1, bytes.length - at);
                    bytes = more;
                }
            }
        }
        return bytes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void heads_and_bodies_of_http() {
        List<byte[]> samples = List.of(
                ascii("GET /logs/a/b/c?x=1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n\r\n"),
                ascii("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
                ascii("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"));
        attack(samples, in -> {
            var head = HttpHead.read(in);
            if (head.isPresent()) {
                head.get().status();
                head.get().values("Connection");
                HttpBody.of(head.get(), in).readNBytes(1 << 20);
            }
        });
    }

    @Test
    void frames_of_spdy() throws Exception {
        ByteArrayOutputStream sample = new ByteArrayOutputStream();
        SpdyWriter writer = new SpdyWriter(sample, new SpdyHeaders());
        writer.write(new SpdyFrame.Open(1, Map.of("streamType", "stdin", "port", "80"), false));
        writer.write(new SpdyFrame.Bytes(1, ascii("hello"), true));
        attack(List.of(sample.toByteArray()), in -> {
            SpdyReader reader = new SpdyReader(in, new SpdyHeaders());
            while (reader.read().isPresent()) {}
        });
    }

    @Test
    void connections_of_spdy_end_without_a_fault() throws Exception {
        ByteArrayOutputStream sample = new ByteArrayOutputStream();
        SpdyWriter writer = new SpdyWriter(sample, new SpdyHeaders());
        writer.write(new SpdyFrame.Open(1, Map.of("streamType", "stdin"), false));
        writer.write(new SpdyFrame.Bytes(1, ascii("hello"), false));
        for (int seed = 0; seed < ROUNDS / 20; seed++) {
            byte[] bytes = mutant(List.of(sample.toByteArray()), new Random(seed));
            TaskGroup tasks = new TaskGroup("fuzz");
            try (tasks) {
                SpdyConnection.over(new Duplex(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream()), tasks)
                        .awaitEnd();
                tasks.join();
            }
            tasks.await(); // throws what a task failed with
        }
    }

    @Test
    void messages_of_web_sockets() {
        byte[] text = {(byte) 0x81, (byte) 0x85, 1, 2, 3, 4, 'h' ^ 1, 'e' ^ 2, 'l' ^ 3, 'l' ^ 4, 'o' ^ 1};
        byte[] longer = {(byte) 0x82, 126, 0, 3, 1, 2, 3, (byte) 0x89, 0, (byte) 0x88, 0};
        byte[] longest = {(byte) 0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 9};
        attack(List.of(text, longer, longest), in -> {
            WebSocket socket = new WebSocket(new Duplex(in, OutputStream.nullOutputStream()));
            while (socket.read().isPresent()) {}
        });
        assertThat(WebSocket.acceptKey("\u0000\uffff")).isNotEmpty();
    }
}
