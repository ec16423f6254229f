package io.fairlead.lab;

import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.TaskGroup;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Servers inside namespaces that answer every client with `name source-address`: who was reached, and whom it saw.
///
/// A socket belongs to the namespace of the thread that makes it; whose thread uses it later does not matter.
final class Answerers implements AutoCloseable {
    private final TaskGroup tasks = new TaskGroup("answerers");
    private final List<Closeable> sockets = new CopyOnWriteArrayList<>();

    void add(NetworkNamespace namespace, Protocol protocol, int port, String name) {
        switch (protocol) {
            case TCP -> addTcp(namespace, port, name);
            case UDP -> addUdp(namespace, port, name);
            case SCTP -> throw new IllegalArgumentException("Java has no SCTP here");
        }
    }

    private void addTcp(NetworkNamespace namespace, int port, String name) {
        ServerSocketChannel server = namespace.call(() -> ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                .bind(new InetSocketAddress(port)));
        sockets.add(server);
        tasks.run(name + ":" + port, () -> untilClosed(() -> answer(server, name)));
    }

    private void addUdp(NetworkNamespace namespace, int port, String name) {
        DatagramChannel server = namespace.call(() -> DatagramChannel.open().bind(new InetSocketAddress(port)));
        sockets.add(server);
        tasks.run(name + ":" + port + "/udp", () -> untilClosed(() -> answer(server, name)));
    }

    private static void answer(ServerSocketChannel server, String name) throws IOException {
        try (SocketChannel client = server.accept()) {
            client.write(text(name, (InetSocketAddress) client.getRemoteAddress()));
        }
    }

    private static void answer(DatagramChannel server, String name) throws IOException {
        InetSocketAddress client = (InetSocketAddress) server.receive(ByteBuffer.allocate(512));
        server.send(text(name, client), client);
    }

    private static ByteBuffer text(String name, InetSocketAddress client) {
        Ip ip = Ip.of(client.getAddress().getAddress());
        return ByteBuffer.wrap((name + " " + ip).getBytes(StandardCharsets.UTF_8));
    }

    private interface Turn {
        void take() throws IOException;
    }

    private static void untilClosed(Turn turn) throws IOException {
        try {
            while (true) {
                turn.take();
            }
        } catch (AsynchronousCloseException e) {
            // the end of the test
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable socket : sockets) {
            socket.close();
        }
        tasks.close();
    }
}
