package io.fairlead.testkit;

import io.fairlead.api.Ip;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A pod that answers every TCP connection and every datagram with its number and the address it was reached from.
///
/// A socket belongs to the namespace in which it is made; the threads that serve it may be anywhere.
public final class PodServer implements AutoCloseable {
    private final int number;
    private final TaskGroup tasks;
    private final ServerSocket tcp;
    private final DatagramSocket udp;

    public PodServer(int number, NetworkNamespace namespace, int port) {
        this.number = number;
        this.tasks = new TaskGroup("pod " + number);
        this.tcp = namespace.call(() -> new ServerSocket(port, 1_000));
        this.udp = namespace.call(() -> new DatagramSocket(port));
        tasks.runOnPlatformThread("tcp", this::serveTcp);
        tasks.runOnPlatformThread("udp", this::serveUdp);
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (Socket connection = tcp.accept()) {
                connection.getOutputStream().write(answer(connection.getInetAddress()));
            } catch (IOException _) {
                // The client went away, or the server was closed: the loop's condition decides.
            }
        }
    }

    private void serveUdp() {
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(new byte[64], 64);
                udp.receive(packet);
                byte[] answer = answer(packet.getAddress());
                udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException _) {
                // as above
            }
        }
    }

    private byte[] answer(InetAddress from) {
        return "%d %s".formatted(number, Ip.of(from.getAddress())).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        udp.close();
        try {
            tcp.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tasks.close();
    }
}
