package io.fairlead.testkit;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes connections out of a namespace, and says who answered.
public final class Caller {
    // Longer than any answer takes, and than any refusal; shorter than a packet is sent again.
    private static final Duration PATIENCE = Duration.ofMillis(900);

    // Below those that the kernel gives by chance: it may give one twice, and to a balancer who comes from the same
    // port
    // is the same client, whose turn was before.
    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 20_000;
    private static final AtomicInteger NEXT_PORT = new AtomicInteger();

    private final NetworkNamespace namespace;
    private final int patience; // in milliseconds

    public Caller(NetworkNamespace namespace) {
        this(namespace, PATIENCE);
    }

    public Caller(NetworkNamespace namespace, Duration patience) {
        this.namespace = namespace;
        this.patience = (int) patience.toMillis();
    }

    /// What came of a call.
    public sealed interface Result {
        /// A pod answered; `source` is the address that it saw.
        record Answer(int pod, Ip source) implements Result {}

        record Refused() implements Result {}

        record Silence() implements Result {}
    }

    public Result call(Protocol protocol, IpPort destination) {
        return calls(protocol, destination, 1).getFirst();
    }

    public List<Result> calls(Protocol protocol, IpPort destination, int count) {
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
        } catch (PortUnreachableException | ConnectException _) {
            return new Result.Refused();
        }
    }

    private Result tcp(InetSocketAddress to) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(patience);
            socket.connect(to, patience);
            return answer(socket.getInputStream().readAllBytes());
        }
    }

    private Result udp(InetSocketAddress to) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(FIRST_PORT + NEXT_PORT.getAndIncrement() % PORTS)) {
            socket.setSoTimeout(patience);
            socket.connect(to);
            socket.send(new DatagramPacket(new byte[] {'?'}, 1));
            DatagramPacket packet = new DatagramPacket(new byte[64], 64);
            socket.receive(packet);
            return answer(Arrays.copyOf(packet.getData(), packet.getLength()));
        }
    }

    private static Result answer(byte[] bytes) {
        String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", 2);
        return new Result.Answer(Integer.parseInt(words[0]), Ip.parse(words[1]));
    }
}
