package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/// A family of generic netlink: the number under which the kernel answers, and the version that we speak.
public record GenericFamily(int id, int version) {
    /// How many bytes stand before the attributes of a message.
    public static final int HEADER = 4;

    private static final int CONTROLLER = 16;
    private static final int GET_FAMILY = 3;
    private static final int FAMILY_ID = 1;
    private static final int FAMILY_NAME = 2;

    /// The family of this name; nothing if the kernel has none, and no module for it.
    public static Optional<GenericFamily> find(NetlinkSocket socket, String name, int version) {
        byte[] request = new NetlinkWriter()
                .message(CONTROLLER, 0, header(GET_FAMILY, 1))
                .text(FAMILY_NAME, name)
                .toBytes();
        socket.send(request);
        return socket.drain().stream()
                .filter(message -> message.type() == CONTROLLER)
                .flatMap(message -> message.attributes(HEADER).find(FAMILY_ID).stream())
                .map(id -> ByteBuffer.wrap(id).order(ByteOrder.nativeOrder()).getShort() & 0xffff)
                .map(id -> new GenericFamily(id, version))
                .findFirst();
    }

    /// Begins a message with a command of this family.
    public NetlinkWriter message(NetlinkWriter writer, int command, int flags) {
        return writer.message(id, flags, header(command, version));
    }

    private static byte[] header(int command, int version) {
        return new byte[] {(byte) command, (byte) version, 0, 0};
    }
}
