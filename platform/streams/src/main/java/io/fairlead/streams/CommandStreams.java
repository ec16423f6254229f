package io.fairlead.streams;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The streams of a command that runs in a pod for a client. A stream that the client did not ask for is an empty one.
///
/// `sizes` brings the size of the client's terminal, one JSON object after the other: `{"Width":80,"Height":24}`.
public record CommandStreams(
        InputStream stdin, OutputStream stdout, OutputStream stderr, InputStream sizes, Client client) {

    /// What the client asked for. With a terminal there is no stderr: a terminal has one screen.
    public record Wanted(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
        boolean separateErrors() {
            return stderr && !tty;
        }
    }

    /// Who waits for the end of the command.
    public interface Client {
        /// Tells it how the command ended.
        void tell(byte[] status) throws IOException;

        /// Waits until it is gone.
        void awaitEnd() throws InterruptedException;
    }

    private record SpdyClient(SpdyConnection connection, OutputStream error) implements Client {
        @Override
        public void tell(byte[] status) throws IOException {
            error.write(status);
            error.close();
        }

        @Override
        public void awaitEnd() throws InterruptedException {
            connection.awaitEnd();
        }
    }

    private record SocketClient(ChannelSocket channels, ChannelForm form) implements Client {
        @Override
        public void tell(byte[] status) throws IOException {
            byte[] told = form.tellsStatus() ? status : words(status);
            if (told.length > 0) {
                channels.send(3, told, 0, told.length);
            }
            channels.close();
        }

        @Override
        public void awaitEnd() throws InterruptedException {
            channels.awaitEnd();
        }
    }

    /// What went wrong, in words; nothing if nothing did.
    private static byte[] words(byte[] status) {
        String text = new String(status, StandardCharsets.UTF_8);
        Matcher message = MESSAGE.matcher(text);
        boolean failed = !SUCCESS.matcher(text).find();
        return (failed && message.find() ? message.group(1) : "").getBytes(StandardCharsets.UTF_8);
    }

    private static final Pattern SUCCESS = Pattern.compile("\"status\"\\s*:\\s*\"Success\"");
    private static final Pattern MESSAGE = Pattern.compile("\"message\"\\s*:\\s*\"([^\"]*)\"");
    private static final List<Integer> FROM_CLIENT = List.of(0, 4);
    private static final int CHANNELS = 5;

    /// Waits until the client has opened the streams that it asked for; nothing if it went away before.
    public static Optional<CommandStreams> over(SpdyConnection connection, Wanted wanted) throws InterruptedException {
        Map<String, SpdyStream> streams = new HashMap<>();
        int expected = 1 + count(wanted.stdin, wanted.stdout, wanted.separateErrors(), wanted.tty);
        while (streams.size() < expected) {
            Optional<SpdyStream> stream = connection.accept();
            if (stream.isEmpty()) {
                return Optional.empty();
            }
            streams.put(stream.get().header("streamtype"), stream.get());
        }
        return Optional.of(new CommandStreams(
                in(streams, "stdin"),
                out(streams, "stdout"),
                out(streams, "stderr"),
                in(streams, "resize"),
                new SpdyClient(connection, out(streams, "error"))));
    }

    private static int count(boolean... asked) {
        int count = 0;
        for (boolean one : asked) {
            count += one ? 1 : 0;
        }
        return count;
    }

    private static InputStream in(Map<String, SpdyStream> streams, String type) {
        SpdyStream stream = streams.get(type);
        return stream == null ? InputStream.nullInputStream() : stream.in();
    }

    private static OutputStream out(Map<String, SpdyStream> streams, String type) {
        SpdyStream stream = streams.get(type);
        return stream == null ? OutputStream.nullOutputStream() : stream.out();
    }

    /// The channels 0 to 4 of a WebSocket: stdin, stdout, stderr, error, resize.
    public static CommandStreams over(WebSocket socket, ChannelForm form, Wanted wanted, TaskGroup tasks)
            throws IOException {
        ChannelSocket channels = ChannelSocket.over(socket, form, CHANNELS, FROM_CLIENT, tasks);
        channels.send(1, new byte[0], 0, 0); // clients wait for a first message before they believe in the connection
        return new CommandStreams(
                wanted.stdin ? channels.in(0) : InputStream.nullInputStream(),
                wanted.stdout ? channels.out(1) : OutputStream.nullOutputStream(),
                wanted.separateErrors() ? channels.out(2) : OutputStream.nullOutputStream(),
                channels.in(4),
                new SocketClient(channels, form));
    }

    /// Ends the output, then tells how the command ended.
    public void finish(byte[] status) throws IOException {
        stdout.close();
        stderr.close();
        client.tell(status);
    }
}
