package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The TCP sockets of a network namespace, in that of the thread that opened it: which there are, and the end of one.
///
/// A socket belongs to one thread at a time.
public final class DiagSocket implements AutoCloseable {
    private static final int PROTOCOL = 4; // NETLINK_SOCK_DIAG
    private static final int BY_FAMILY = 20;
    private static final int DESTROY = 21;
    private static final byte INET = 2;
    private static final byte INET6 = 10;
    private static final byte TCP = 6;
    private static final int ID = 48;
    private static final int ID_AT = 4; // behind family, state, timer and retransmissions
    private static final int COOKIE_AT = 40;
    /// Established, both ways of being begun, and half closed: not those that are over, and not those that listen.
    private static final int STATES = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9 | 1 << 11;

    private final NetlinkSocket socket;

    private DiagSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// One connection; `cookie` is what programs of BPF know its socket by.
    public record Connection(long cookie, byte family, byte[] id) {
        public Connection {
            id = id.clone();
        }
    }

    public static DiagSocket open() {
        return new DiagSocket(NetlinkSocket.open(PROTOCOL));
    }

    /// Those of both families; such as begin or end meanwhile may be missing.
    public List<Connection> connections() {
        List<Connection> all = new ArrayList<>();
        for (byte family : new byte[] {INET, INET6}) {
            byte[] request = new NetlinkWriter()
                    .message(BY_FAMILY, NetlinkWriter.DUMP, header(family, STATES, new byte[ID]))
                    .toBytes();
            socket.dumpOnce(request).forEach(message -> all.add(connection(message)));
        }
        return all;
    }

    private static Connection connection(NetlinkMessage message) {
        byte[] id = Arrays.copyOfRange(message.payload(), ID_AT, ID_AT + ID);
        long cookie = ByteBuffer.wrap(id).order(ByteOrder.nativeOrder()).getLong(COOKIE_AT);
        return new Connection(cookie, message.payload()[0], id);
    }

    /// Ends a connection: both sides learn of it. False if it was over already; throws [KernelException] where the
    /// kernel does not do such a thing.
    public boolean reset(Connection connection) {
        byte[] request = new NetlinkWriter()
                .message(DESTROY, NetlinkWriter.ACK, header(connection.family, -1, connection.id))
                .toBytes();
        try {
            socket.request(request, "end of a connection");
            return true;
        } catch (KernelException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    private static byte[] header(byte family, int states, byte[] id) {
        return ByteBuffer.allocate(8 + ID)
                .order(ByteOrder.nativeOrder())
                .put(family)
                .put(TCP)
                .putShort((short) 0)
                .putInt(states)
                .put(id)
                .array();
    }

    @Override
    public void close() {
        socket.close();
    }
}
