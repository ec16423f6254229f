package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/// One listener for every address of its namespace: it tells each caller which address answered, and hangs up.
///
/// While it rests, its kernel answers for it: a call is taken, and nothing is said.
final class Answerer implements AutoCloseable {
    static final int PORT = 8080;
    /// More than one for every VIP of a large cluster; `net.core.somaxconn` must allow it.
    static final int CALLS_IN_REST = 16_384;

    private final ServerSocketChannel listener;
    private final TaskGroup tasks = new TaskGroup("answerer");
    private volatile CountDownLatch rest = new CountDownLatch(0);

    private Answerer(ServerSocketChannel listener) {
        this.listener = listener;
    }

    /// In the network namespace of the calling thread.
    static Answerer open() throws IOException {
        Answerer answerer =
                new Answerer(ServerSocketChannel.open().bind(new InetSocketAddress("0.0.0.0", PORT), CALLS_IN_REST));
        answerer.tasks.runOnPlatformThread("accept", answerer::answer);
        return answerer;
    }

    /// Answers no client until `task` is done: what it says to thousands who hang up at once takes a processor's time.
    <T> T rest(Supplier<T> task) {
        rest = new CountDownLatch(1);
        try {
            return task.get();
        } finally {
            rest.countDown();
        }
    }

    private void answer() throws IOException, InterruptedException {
        while (true) {
            try (SocketChannel caller = listener.accept()) {
                rest.await();
                InetSocketAddress own = (InetSocketAddress) caller.getLocalAddress();
                caller.write(ByteBuffer.wrap(own.getAddress().getAddress()));
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException _) {
                // a caller that has gone already
            }
        }
    }

    @Override
    public void close() {
        tasks.close();
    }
}
