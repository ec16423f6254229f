package io.fairlead.kernel;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/// What the kernel tracks of connections, in the network namespace of the thread that opened it.
///
/// A socket belongs to one thread at a time.
public final class ConntrackSocket implements AutoCloseable {
    private static final int GET = 1 << 8 | 1;
    private static final int DELETE = 1 << 8 | 2;

    private static final int TUPLE_ORIGINAL = 1;
    private static final int TUPLE_REPLY = 2;
    private static final int STATUS = 3;
    private static final int ID = 12;
    private static final int FILTER = 25;
    private static final int STATUS_MASK = 26;
    private static final int FILTER_ORIGINAL_FLAGS = 1;
    private static final int FILTER_BY_PROTOCOL = 1 << 3;
    private static final int SEEN_REPLY = 1 << 1;

    private static final int TUPLE_IP = 1;
    private static final int TUPLE_PROTOCOL = 2;
    private static final int PROTOCOL_NUMBER = 1;
    private static final int SOURCE_PORT = 2;
    private static final int DESTINATION_PORT = 3;

    private final NetlinkSocket socket;

    private ConntrackSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Opens it in the calling thread's network namespace.
    public static ConntrackSocket open() {
        return new ConntrackSocket(NetlinkSocket.open(NetlinkSocket.NETFILTER));
    }

    /// The flows of one protocol; such as begin or end meanwhile may be missing.
    public List<ConntrackFlow> flows(Family family, Protocol protocol) {
        return flows(dump(family, protocol), protocol);
    }

    /// Those of them for which the kernel has seen no reply yet.
    public List<ConntrackFlow> unanswered(Family family, Protocol protocol) {
        return flows(dump(family, protocol).be32(STATUS, 0).be32(STATUS_MASK, SEEN_REPLY), protocol).stream()
                .filter(flow -> !flow.answered()) // a kernel before 5.18 does not know this filter and tells all
                .toList();
    }

    private static NetlinkWriter dump(Family family, Protocol protocol) {
        // A kernel before 5.8 does not know the filter and tells all.
        return new NetlinkWriter()
                .message(GET, NetlinkWriter.DUMP, header(family))
                .open(TUPLE_ORIGINAL)
                .open(TUPLE_PROTOCOL)
                .u8(PROTOCOL_NUMBER, protocol.number())
                .close()
                .close()
                .open(FILTER)
                .u32(FILTER_ORIGINAL_FLAGS, FILTER_BY_PROTOCOL)
                .close();
    }

    private List<ConntrackFlow> flows(NetlinkWriter request, Protocol protocol) {
        return socket.dumpOnce(request.toBytes()).stream()
                .map(message -> flow(message, protocol))
                .flatMap(Optional::stream)
                .toList();
    }

    /// Forgets a flow, so that its next packet is a new connection; true if it was still there.
    public boolean delete(ConntrackFlow flow) {
        Family family = flow.source().ip().family();
        NetlinkWriter request = new NetlinkWriter()
                .message(DELETE, NetlinkWriter.ACK, header(family))
                .open(TUPLE_ORIGINAL)
                .open(TUPLE_IP)
                .bytes(sourceAddress(family), flow.source().ip().bytes())
                .bytes(destinationAddress(family), flow.destination().ip().bytes())
                .close()
                .open(TUPLE_PROTOCOL)
                .u8(PROTOCOL_NUMBER, flow.protocol().number())
                .be16(SOURCE_PORT, flow.source().port())
                .be16(DESTINATION_PORT, flow.destination().port())
                .close()
                .close()
                .be32(ID, flow.id()); // seldom that of a later flow of the same client
        try {
            socket.request(request.toBytes(), "delete of the flow " + flow);
            return true;
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        socket.close();
    }

    private static Optional<ConntrackFlow> flow(NetlinkMessage message, Protocol protocol) {
        NetlinkAttributes attributes = message.attributes(NetfilterBatch.HEADER);
        NetlinkAttributes original = attributes.nested(TUPLE_ORIGINAL);
        NetlinkAttributes reply = attributes.nested(TUPLE_REPLY);
        boolean isOther = original.nested(TUPLE_PROTOCOL)
                .find(PROTOCOL_NUMBER)
                .filter(number -> (number[0] & 0xff) == protocol.number())
                .isEmpty();
        if (isOther) {
            return Optional.empty();
        }
        boolean answered = (attributes.be32(STATUS) & SEEN_REPLY) != 0;
        return Optional.of(new ConntrackFlow(
                protocol, source(original), destination(original), source(reply), answered, attributes.be32(ID)));
    }

    private static IpPort source(NetlinkAttributes tuple) {
        return new IpPort(address(tuple, 1, 3), port(tuple, SOURCE_PORT));
    }

    private static IpPort destination(NetlinkAttributes tuple) {
        return new IpPort(address(tuple, 2, 4), port(tuple, DESTINATION_PORT));
    }

    private static Ip address(NetlinkAttributes tuple, int v4, int v6) {
        NetlinkAttributes ip = tuple.nested(TUPLE_IP);
        return Ip.of(ip.find(v4).or(() -> ip.find(v6)).orElseThrow());
    }

    private static int port(NetlinkAttributes tuple, int type) {
        return tuple.nested(TUPLE_PROTOCOL)
                .find(type)
                .map(value -> ByteBuffer.wrap(value).getShort() & 0xffff)
                .orElse(0);
    }

    private static int sourceAddress(Family family) {
        return family == Family.IPV4 ? 1 : 3;
    }

    private static int destinationAddress(Family family) {
        return family == Family.IPV4 ? 2 : 4;
    }

    private static byte[] header(Family family) {
        return new byte[] {(byte) (family == Family.IPV4 ? 2 : 10), 0, 0, 0};
    }
}
