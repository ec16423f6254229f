package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes netlink messages one behind the other into one buffer. Pure: bytes only.
///
/// The messages are numbered from 1 in their sequence field, so that an error can be traced to its message.
public final class NetlinkWriter {
    public static final int REQUEST = 1;
    public static final int ACK = 4;
    public static final int DUMP = 0x300;
    public static final int REPLACE = 0x100;
    public static final int EXCLUSIVE = 0x200;
    public static final int CREATE = 0x400;
    public static final int APPEND = 0x800;

    private static final int NESTED = 0x8000;
    private static final int LIMIT = 0xffff;

    private ByteBuffer buffer = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());
    private int[] open = new int[8]; // where the attributes begin that are not closed, the innermost last
    private int depth;
    private int messageStart = -1;
    private int sequence;

    /// Begins a message; `header` is what its family puts before the attributes.
    public NetlinkWriter message(int type, int flags, byte... header) {
        finishMessage();
        messageStart = buffer.position();
        ensure(16 + header.length + 4);
        buffer.putInt(0)
                .putShort((short) type)
                .putShort((short) (REQUEST | flags))
                .putInt(++sequence)
                .putInt(0)
                .put(header);
        pad();
        return this;
    }

    /// The number of the message that was begun last, from 1.
    public int sequence() {
        return sequence;
    }

    public NetlinkWriter bytes(int type, byte... value) {
        ensure(value.length + 8);
        buffer.putShort((short) (value.length + 4)).putShort((short) type).put(value);
        pad();
        return this;
    }

    /// A text with a zero at its end.
    public NetlinkWriter text(int type, String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        return bytes(type, Arrays.copyOf(text, text.length + 1));
    }

    public NetlinkWriter u8(int type, int value) {
        return bytes(type, (byte) value);
    }

    /// A 16-bit number in network byte order.
    public NetlinkWriter be16(int type, int value) {
        return bytes(type, (byte) (value >>> 8), (byte) value);
    }

    /// A 16-bit number in the machine's byte order.
    public NetlinkWriter u16(int type, int value) {
        return bytes(type, host(2).putShort((short) value).array());
    }

    /// A 32-bit number in the machine's byte order.
    public NetlinkWriter u32(int type, int value) {
        return bytes(type, host(4).putInt(value).array());
    }

    /// A 32-bit number in network byte order.
    public NetlinkWriter be32(int type, int value) {
        return bytes(type, ByteBuffer.allocate(4).putInt(value).array());
    }

    /// A 64-bit number in network byte order.
    public NetlinkWriter be64(int type, long value) {
        return bytes(type, ByteBuffer.allocate(8).putLong(value).array());
    }

    /// Begins a nested attribute; ends with [#close].
    public NetlinkWriter open(int type) {
        ensure(4);
        if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
        }
        open[depth++] = buffer.position();
        buffer.putShort((short) 0).putShort((short) (type | NESTED));
        return this;
    }

    public NetlinkWriter close() {
        if (depth == 0) {
            throw new IllegalStateException("no attribute is open");
        }
        int start = open[--depth];
        int length = buffer.position() - start;
        if (length > LIMIT) {
            throw new IllegalStateException(
                    "a nested attribute of %d bytes; begin a new message before".formatted(length));
        }
        buffer.putShort(start, (short) length);
        return this;
    }

    /// Bytes without an attribute header: a struct inside a nested attribute.
    public NetlinkWriter raw(byte... value) {
        ensure(value.length);
        buffer.put(value);
        pad();
        return this;
    }

    /// How many bytes the innermost open attribute has by now.
    public int openBytes() {
        return depth == 0 ? 0 : buffer.position() - open[depth - 1];
    }

    /// All that was written; the writer goes on afterwards.
    public byte[] toBytes() {
        finishMessage();
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private void finishMessage() {
        if (depth > 0) {
            throw new IllegalStateException("an attribute is still open");
        }
        if (messageStart >= 0) {
            buffer.putInt(messageStart, buffer.position() - messageStart);
        }
    }

    private void pad() {
        while ((buffer.position() & 3) != 0) {
            buffer.put((byte) 0);
        }
    }

    private void ensure(int more) {
        if (buffer.remaining() < more + 4) {
            int size = Math.max(buffer.capacity() * 2, buffer.position() + more + 4);
            ByteBuffer larger = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
            buffer = larger.put(buffer.flip());
        }
    }

    private static ByteBuffer host(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    }
}
