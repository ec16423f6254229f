package io.fairlead.streams;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.IntStream;

/// The connections that a client wants to have carried to ports of a pod.
public interface ForwardStreams {
    /// One connection to `port`: its bytes, and where to tell what went wrong. Both are closed at its end.
    record Connection(String port, Duplex bytes, OutputStream error) {}

    /// Waits for the next one; nothing when the client is gone.
    Optional<Connection> next() throws InterruptedException;

    /// Over SPDY a client opens two streams for each connection, which carry the same `requestid`.
    static ForwardStreams over(SpdyConnection connection) {
        Map<String, SpdyStream> waiting = new HashMap<>();
        return () -> {
            while (true) {
                Optional<SpdyStream> stream = connection.accept();
                if (stream.isEmpty()) {
                    return Optional.empty();
                }
                SpdyStream partner = waiting.remove(stream.get().header("requestid"));
                if (partner != null) {
                    return Optional.of(pair(connection, stream.get(), partner));
                }
                waiting.put(stream.get().header("requestid"), stream.get());
            }
        };
    }

    private static Connection pair(SpdyConnection connection, SpdyStream one, SpdyStream other) {
        SpdyStream data = one.header("streamtype").equals("data") ? one : other;
        SpdyStream error = data.equals(one) ? other : one;
        return new Connection(data.header("port"), data.duplex(), new ForwardEnd(error, data, connection));
    }

    /// Over a WebSocket the ports are named in the request, and each has one connection: two channels, which both
    /// begin with the port's number.
    static ForwardStreams over(WebSocket socket, List<Integer> ports, TaskGroup tasks) throws IOException {
        List<Integer> read =
                IntStream.range(0, ports.size()).mapToObj(i -> 2 * i).toList();
        ChannelSocket channels = ChannelSocket.over(socket, 2 * ports.size(), read, tasks);
        Queue<Connection> connections = new ArrayDeque<>();
        for (int i = 0; i < ports.size(); i++) {
            int port = ports.get(i);
            byte[] number = {(byte) port, (byte) (port >> 8)};
            channels.send(2 * i, number, 0, 2);
            channels.send(2 * i + 1, number, 0, 2);
            connections.add(new Connection(
                    Integer.toString(port),
                    new Duplex(channels.in(2 * i), channels.out(2 * i)),
                    channels.out(2 * i + 1)));
        }
        return () -> Optional.ofNullable(connections.poll());
    }
}
