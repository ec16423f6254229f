package io.fairlead.streams;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// A WebSocket whose messages begin with the number of the stream they belong to (`v4.channel.k8s.io` and the others of
/// [ChannelForm]).
public final class ChannelSocket {
    private static final int CLOSED_CHANNEL = 255; // v5: the byte after it says which channel has ended
    private static final int LARGEST_MESSAGE = 16 * 1024;

    private final WebSocket socket;
    private final List<ByteQueue> received = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private final ChannelForm form;

    private ChannelSocket(WebSocket socket, ChannelForm form, int channels) {
        this.socket = socket;
        this.form = form;
        for (int channel = 0; channel < channels; channel++) {
            received.add(new ByteQueue());
        }
    }

    /// Reads the socket in a task of `tasks` until it ends. What comes for a channel that is not in `read` is thrown
    /// away.
    public static ChannelSocket over(WebSocket socket, int channels, List<Integer> read, TaskGroup tasks) {
        return over(socket, ChannelForm.BINARY, channels, read, tasks);
    }

    static ChannelSocket over(WebSocket socket, ChannelForm form, int channels, List<Integer> read, TaskGroup tasks) {
        ChannelSocket streams = new ChannelSocket(socket, form, channels);
        for (int channel = 0; channel < channels; channel++) {
            if (!read.contains(channel)) {
                streams.received.get(channel).abandon();
            }
        }
        tasks.run("channels", streams::readAll);
        return streams;
    }

    private void readAll() {
        try {
            for (Optional<byte[]> message = socket.read(); message.isPresent(); message = socket.read()) {
                take(form.read(message.get()));
            }
        } catch (IOException e) {
            // The same as its end.
        } finally {
            received.forEach(ByteQueue::end);
            ended.countDown();
        }
    }

    /// Waits until the client is gone.
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    private void take(byte[] message) throws IOException {
        if (message.length == 2 && (message[0] & 0xff) == CLOSED_CHANNEL) {
            pipe(message[1] & 0xff).ifPresent(ByteQueue::end);
        } else if (message.length > 1) {
            Optional<ByteQueue> pipe = pipe(message[0] & 0xff);
            if (pipe.isPresent()) {
                pipe.get().output().write(message, 1, message.length - 1);
            }
        }
    }

    private Optional<ByteQueue> pipe(int channel) {
        return channel < received.size() ? Optional.of(received.get(channel)) : Optional.empty();
    }

    InputStream in(int channel) {
        return received.get(channel).input();
    }

    OutputStream out(int channel) {
        return new Output(channel);
    }

    /// Sends one message on a channel, also an empty one.
    void send(int channel, byte[] from, int offset, int length) throws IOException {
        form.write(socket, channel, Arrays.copyOfRange(from, offset, offset + length));
    }

    void close() throws IOException {
        socket.close();
    }

    private final class Output extends OutputStream {
        private final int channel;

        Output(int channel) {
            this.channel = channel;
        }

        @Override
        public void write(int value) throws IOException {
            send(channel, new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += LARGEST_MESSAGE) {
                send(channel, from, offset + done, Math.min(LARGEST_MESSAGE, length - done));
            }
        }
    }
}
