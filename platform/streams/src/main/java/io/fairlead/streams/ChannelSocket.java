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
    private static final int NO_CHANNEL = Integer.MAX_VALUE;
    private static final int MOST_WAITING_BYTES = 512 * 1024;

    private final WebSocket socket;
    private final List<ByteQueue> received = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private final ChannelForm form;

    private ChannelSocket(WebSocket socket, ChannelForm form, int channels) {
        this.socket = socket;
        this.form = form;
        ByteQueue.Budget budget = new ByteQueue.Budget(MOST_WAITING_BYTES);
        for (int channel = 0; channel < channels; channel++) {
            received.add(new ByteQueue(budget));
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
            if (form.base64()) {
                readWhole();
            } else {
                readPieces();
            }
        } catch (IOException e) {
            // The same as its end.
        } finally {
            received.forEach(ByteQueue::end);
            ended.countDown();
        }
    }

    private void readWhole() throws IOException {
        for (Optional<byte[]> message = socket.read(); message.isPresent(); message = socket.read()) {
            take(form.read(message.get()));
        }
    }

    /// The first piece of a message says whose the others are.
    private void readPieces() throws IOException {
        int channel = 0;
        for (Optional<WebSocket.Piece> next = socket.next(); next.isPresent(); next = socket.next()) {
            WebSocket.Piece piece = next.get();
            byte[] bytes = piece.bytes();
            if (!piece.first()) {
                give(channel, bytes, 0);
            } else if (piece.last()) {
                take(bytes);
            } else if (bytes.length > 0) {
                channel = bytes[0] & 0xff;
                give(channel, bytes, 1);
            } else {
                channel = NO_CHANNEL;
            }
        }
    }

    private void give(int channel, byte[] bytes, int from) throws IOException {
        Optional<ByteQueue> pipe = pipe(channel);
        if (pipe.isPresent()) {
            pipe.get().output().write(bytes, from, bytes.length - from);
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
            give(message[0] & 0xff, message, 1);
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
