package io.fairlead.ebpf;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Calls out of a namespace, and says who answered.
final class Caller {
    private static final int PATIENCE_MILLIS = 900;

    private final NetworkNamespace namespace;

    Caller(NetworkNamespace namespace) {
        this.namespace = namespace;
    }

    /// What came of a call.
    sealed interface Result {
        /// A pod answered; `source` is the address that it saw.
        record Answer(int pod, Ip source) implements Result {}

        record Refused() implements Result {}

        record NoAnswer() implements Result {}
    }

    /// New connections; Java speaks IPv4 through IPv6 sockets.
    List<Result> connections(IpPort destination, int count) {
        return namespace.call(() -> {
            List<Result> results = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                results.add(connection(destination));
            }
            return results;
        });
    }

    private static Result connection(IpPort destination) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(address(destination), PATIENCE_MILLIS);
            return answer(socket.getInputStream().readAllBytes());
        } catch (SocketTimeoutException _) {
            return new Result.NoAnswer();
        } catch (ConnectException _) {
            return new Result.Refused();
        } catch (SocketException e) {
            if ("Network is unreachable".equals(e.getMessage())) {
                return new Result.NoAnswer();
            }
            throw e;
        }
    }

    /// A socket that names the destination with each datagram.
    DatagramSocket datagrams() {
        return namespace.call(() -> {
            DatagramSocket socket = new DatagramSocket();
            socket.setSoTimeout(PATIENCE_MILLIS);
            return socket;
        });
    }

    /// Sends a datagram and waits for the answer, which must come from where it went.
    static Result ask(DatagramSocket socket, IpPort destination) throws IOException {
        socket.send(new DatagramPacket(new byte[] {'?'}, 1, address(destination)));
        DatagramPacket packet = new DatagramPacket(new byte[64], 64);
        try {
            socket.receive(packet);
        } catch (SocketTimeoutException _) {
            return new Result.NoAnswer();
        }
        if (!packet.getSocketAddress().equals(address(destination))) {
            throw new AssertionError("asked %s, %s answers".formatted(destination, packet.getSocketAddress()));
        }
        return answer(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    /// Sends a datagram through a connected socket of both families, and waits for the answer.
    Result connectedDatagram(IpPort destination) {
        return namespace.call(() -> {
            try (DatagramChannel channel = DatagramChannel.open()) {
                channel.connect(address(destination));
                channel.write(ByteBuffer.wrap(new byte[] {'?'}));
                channel.socket().setSoTimeout(PATIENCE_MILLIS);
                DatagramPacket packet = new DatagramPacket(new byte[64], 64);
                channel.socket().receive(packet);
                return answer(Arrays.copyOf(packet.getData(), packet.getLength()));
            } catch (SocketTimeoutException _) {
                return new Result.NoAnswer();
            }
        });
    }

    /// What `curl` says with `format`: a program that asks the kernel for the address of its peer.
    String curl(IpPort destination, String format) throws IOException, InterruptedException {
        String place = destination.ip().family() == Family.IPV4
                ? destination.toString()
                : "[%s]:%d".formatted(destination.ip(), destination.port());
        return run(
                "curl", "-s", "-g", "--http0.9", "--max-time", "5", "-o", "/dev/null", "-w", format, "http://" + place);
    }

    /// What the shell says when it connects: the kernel's own word for what went wrong.
    String shell(IpPort destination) throws IOException, InterruptedException {
        return run("bash", "-c", "exec 3<>/dev/tcp/%s/%d".formatted(destination.ip(), destination.port()));
    }

    private String run(String... words) throws IOException, InterruptedException {
        Process process = namespace.start(new ProcessBuilder(words).redirectErrorStream(true));
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    private static InetSocketAddress address(IpPort destination) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(destination.ip().bytes()), destination.port());
    }

    private static Result answer(byte[] bytes) {
        String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", 2);
        return new Result.Answer(Integer.parseInt(words[0]), Ip.parse(words[1]));
    }
}
