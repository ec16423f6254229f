package io.fairlead.streams;

import io.fairlead.runtime.TaskGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/// What Jazzer calls: the first byte chooses a decoder, the rest is what a client sends to it. Each must end with a
/// message or an IOException. The name of the method is Jazzer's.
public final class StreamsFuzz {
    private StreamsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
        if (input.length == 0) {
            return;
        }
        InputStream in = new ByteArrayInputStream(Arrays.copyOfRange(input, 1, input.length));
        try {
            switch (Byte.toUnsignedInt(input[0]) % 5) {
                case 0 -> readHttp(in);
                case 1 -> readSpdy(in);
                case 2 -> serveSpdy(in);
                case 3 -> readWebSocket(in);
                default -> serveChannels(in);
            }
        } catch (IOException e) {
            // that is how a decoder refuses
        }
    }

    private static void readHttp(InputStream in) throws IOException {
        HttpHead head = HttpHead.read(in).orElseThrow(() -> new IOException("none"));
        head.status();
        head.values("Connection");
        HttpBody.of(head, in).readNBytes(1 << 20);
    }

    private static void readSpdy(InputStream in) throws IOException {
        SpdyReader reader = new SpdyReader(in, new SpdyHeaders());
        while (reader.read().isPresent()) {
            // the next
        }
    }

    private static void serveSpdy(InputStream in) throws InterruptedException {
        TaskGroup tasks = new TaskGroup("fuzz");
        try (tasks) {
            SpdyConnection connection = SpdyConnection.over(new Duplex(in, OutputStream.nullOutputStream()), tasks);
            while (connection.accept().isPresent()) {
                // its streams are read by nothing, as when a command reads no input
            }
            tasks.join();
        }
        tasks.await(); // throws what a task failed with
    }

    private static void readWebSocket(InputStream in) throws IOException {
        WebSocket socket = new WebSocket(new Duplex(in, OutputStream.nullOutputStream()));
        while (socket.read().isPresent()) {
            // the next
        }
    }

    private static void serveChannels(InputStream in) throws IOException, InterruptedException {
        TaskGroup tasks = new TaskGroup("fuzz");
        try (tasks) {
            WebSocket socket = new WebSocket(new Duplex(in, OutputStream.nullOutputStream()));
            CommandStreams streams = CommandStreams.over(
                    socket,
                    ChannelForm.of(ChannelForm.COMMANDS.getFirst()),
                    new CommandStreams.Wanted(true, true, true, true),
                    tasks);
            for (InputStream one : List.of(streams.stdin(), streams.sizes())) {
                one.readNBytes(1 << 20);
            }
            tasks.join();
        }
        tasks.await();
    }
}
