package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// One listener for every address of its namespace: it tells each caller which address answered, and hangs up.
final class Answerer implements AutoCloseable {
    static final int PORT = 8080;

    private final ServerSocketChannel listener;
    private final TaskGroup tasks = new TaskGroup("answerer");

    private Answerer(ServerSocketChannel listener) {
        this.listener = listener;
    }

    /// In the network namespace of the calling thread.
    static Answerer open() throws IOException {
        Answerer answerer = new Answerer(ServerSocketChannel.open().bind(new InetSocketAddress("0.0.0.0", PORT), 4096));
        answerer.tasks.runOnPlatformThread("accept", answerer::answer);
        return answerer;
    }

    private void answer() throws IOException {
        while (true) {
            try (SocketChannel caller = listener.accept()) {
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
