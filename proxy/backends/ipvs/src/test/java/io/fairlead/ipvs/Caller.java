package io.fairlead.ipvs;

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

/// Makes connections out of a namespace, and says who answered.
final class Caller {
    // Longer than any answer takes, and than any refusal. On the one processor of the guest an ICMPv6 error may find
    // the socket of the client in use; then the client hears of it with its second packet.
    private static final int PATIENCE_MILLIS = 2_500;

    private final NetworkNamespace namespace;
    private final int patienceMillis;

    Caller(NetworkNamespace namespace) {
        this(namespace, PATIENCE_MILLIS);
    }

    private Caller(NetworkNamespace namespace, int patienceMillis) {
        this.namespace = namespace;
        this.patienceMillis = patienceMillis;
    }

    /// One that waits through several attempts of TCP: the guest may stand still while the machine is busy.
    Caller patient() {
        return new Caller(namespace, 4 * PATIENCE_MILLIS);
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

    private Result once(Protocol protocol, IpPort destination) throws IOException {
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

    private Result tcp(InetSocketAddress to) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(patienceMillis);
            socket.connect(to, patienceMillis);
            return answer(socket.getInputStream().readAllBytes());
        }
    }

    private Result udp(InetSocketAddress to) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(patienceMillis);
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
