package io.fairlead.userspace;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes connections out of a namespace, and says who answered.
final class Caller {
    // Longer than any answer takes, and than any refusal; shorter than a packet is sent again.
    private static final int PATIENCE_MILLIS = 900;

    /// Below those that the kernel gives by chance: it may give one twice, and who comes from the same port is the same
    /// client, whose turn was before.
    private static final AtomicInteger PORTS = new AtomicInteger(10_000);

    private final NetworkNamespace namespace;

    Caller(NetworkNamespace namespace) {
        this.namespace = namespace;
    }

    /// What came of a call.
    sealed interface Result {
        /// A pod answered; `source` is the address that it saw.
        record Answer(int pod, Ip source) implements Result {}

        record Refused() implements Result {}

        record Silence() implements Result {}
    }

    Result call(Protocol protocol, IpPort destination) {
        return calls(protocol, destination, 1).getFirst();
    }

    List<Result> calls(Protocol protocol, IpPort destination, int count) {
        return namespace.call(() -> {
            List<Result> results = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                results.add(once(protocol, destination));
            }
            return results;
        });
    }

    private static Result once(Protocol protocol, IpPort destination) throws IOException {
        InetSocketAddress to =
                new InetSocketAddress(InetAddress.getByAddress(destination.ip().bytes()), destination.port());
        try {
            return protocol == Protocol.UDP ? udp(to) : tcp(to);
        } catch (SocketTimeoutException _) {
            return new Result.Silence();
        } catch (PortUnreachableException | java.net.ConnectException _) {
            return new Result.Refused();
        }
    }

    private static Result tcp(InetSocketAddress to) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(to, PATIENCE_MILLIS);
            return answer(socket.getInputStream().readAllBytes());
        }
    }

    private static Result udp(InetSocketAddress to) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(PORTS.getAndIncrement())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(to);
            socket.send(new DatagramPacket(new byte[] {'?'}, 1));
            DatagramPacket packet = new DatagramPacket(new byte[64], 64);
            socket.receive(packet);
            return answer(java.util.Arrays.copyOf(packet.getData(), packet.getLength()));
        }
    }

    private static Result answer(byte[] bytes) {
        String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", 2);
        return new Result.Answer(Integer.parseInt(words[0]), Ip.parse(words[1]));
    }
}
