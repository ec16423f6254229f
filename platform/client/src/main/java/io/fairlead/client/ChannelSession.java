package io.fairlead.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A WebSocket with a program in a pod: messages of numbered channels, in both directions.
public final class ChannelSession implements AutoCloseable {
    private static final int LARGEST_MESSAGE = 4 << 20;
    private static final int CLOSED_CHANNEL = 255;
    private static final Duration SEND_PATIENCE = Duration.ofSeconds(30);

    /// Takes what comes, one message after the other.
    public interface Receiver {
        void receive(int channel, byte[] bytes) throws IOException;
    }

    private final WebSocket socket;
    private final Incoming incoming;

    ChannelSession(WebSocket socket, Incoming incoming) {
        this.socket = socket;
        this.incoming = incoming;
    }

    /// Sends bytes on a channel; an [IOException] says that the other side is gone.
    public synchronized void send(int channel, byte[] bytes, int length) throws IOException, InterruptedException {
        byte[] message = new byte[1 + length];
        message[0] = (byte) channel;
        System.arraycopy(bytes, 0, message, 1, length);
        try {
            socket.sendBinary(ByteBuffer.wrap(message), true).get(SEND_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the session is over", e);
        }
    }

    /// Says that nothing more comes on a channel; the protocols before version 5 cannot say it.
    public void end(int channel) throws IOException, InterruptedException {
        if (socket.getSubprotocol().startsWith("v5.")) {
            send(CLOSED_CHANNEL, new byte[] {(byte) channel}, 1);
        }
    }

    /// Waits until the other side is done; false if it is not within `time`.
    public boolean awaitEnd(Duration time) throws InterruptedException {
        return incoming.ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        socket.abort();
    }

    static final class Incoming implements WebSocket.Listener {
        private final Receiver receiver;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

        Incoming(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            begun.writeBytes(bytes);
            if (begun.size() > LARGEST_MESSAGE) {
                finish(socket);
                return null;
            }
            if (last) {
                byte[] message = begun.toByteArray();
                begun.reset();
                take(socket, message);
            }
            socket.request(1);
            return null;
        }

        private void take(WebSocket socket, byte[] message) {
            if (message.length == 0) {
                return;
            }
            byte[] content = new byte[message.length - 1];
            System.arraycopy(message, 1, content, 0, content.length);
            try {
                receiver.receive(message[0] & 255, content);
            } catch (IOException e) {
                finish(socket); // no reader is left here
            }
        }

        private void finish(WebSocket socket) {
            ended.countDown();
            socket.abort();
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            ended.countDown();
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            ended.countDown();
        }
    }
}
