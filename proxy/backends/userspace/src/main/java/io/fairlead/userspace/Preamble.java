package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.CopyBuffer;
import java.nio.ByteBuffer;
import java.util.Optional;

/// What a target hears before the client's own bytes: nothing, or who the client is (PROXY protocol, version 2).
public enum Preamble {
    NONE {
        @Override
        Optional<byte[]> bytes(IpPort client, IpPort destination) {
            return Optional.empty();
        }
    },
    PROXY_V2 {
        @Override
        Optional<byte[]> bytes(IpPort client, IpPort destination) {
            return Optional.of(header(client, destination));
        }
    };

    private static final byte[] SIGNATURE = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};
    private static final byte PROXIED = 0x21;
    private static final byte TCP4 = 0x11;
    private static final byte TCP6 = 0x21;

    abstract Optional<byte[]> bytes(IpPort client, IpPort destination);

    /// False where the target does not take it.
    boolean send(Connection connection, CopyBuffer buffer) {
        Optional<byte[]> bytes = bytes(connection.clientAddress, connection.destination);
        if (bytes.isEmpty()) {
            return true;
        }
        int length = bytes.get().length;
        buffer.put(bytes.get());
        return buffer.send(connection.target, 0, length) == length;
    }

    private static byte[] header(IpPort client, IpPort destination) {
        boolean ipv4 = client.ip().family() == Family.IPV4;
        int addresses = ipv4 ? 12 : 36;
        return ByteBuffer.allocate(SIGNATURE.length + 4 + addresses)
                .put(SIGNATURE)
                .put(PROXIED)
                .put(ipv4 ? TCP4 : TCP6)
                .putShort((short) addresses)
                .put(client.ip().bytes())
                .put(destination.ip().bytes())
                .putShort((short) client.port())
                .putShort((short) destination.port())
                .array();
    }
}
