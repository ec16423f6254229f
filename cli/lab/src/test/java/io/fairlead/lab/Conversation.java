package io.fairlead.lab;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/// A UDP client that keeps its port, so that for the kernel all it sends is one flow.
final class Conversation implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final DatagramChannel channel;

    Conversation(NetworkNamespace from, IpPort to) {
        channel = from.call(() -> {
            DatagramChannel opened = DatagramChannel.open();
            opened.connect(
                    new InetSocketAddress(InetAddress.getByAddress(to.ip().bytes()), to.port()));
            return opened;
        });
    }

    /// The name of who answered; `refused`, or `silence`.
    String ask() throws IOException {
        return ask(PATIENCE);
    }

    String ask(Duration patience) throws IOException {
        try {
            channel.socket().setSoTimeout((int) patience.toMillis());
            channel.write(ByteBuffer.wrap("who?".getBytes(StandardCharsets.UTF_8)));
            DatagramPacket packet = new DatagramPacket(new byte[512], 512);
            channel.socket().receive(packet);
            return new String(Arrays.copyOf(packet.getData(), packet.getLength()), StandardCharsets.UTF_8)
                    .split(" ", -1)[0];
        } catch (PortUnreachableException e) {
            return "refused";
        } catch (SocketTimeoutException e) {
            return "silence";
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
