package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The attributes of a netlink message, or inside a nested one, in their order.
public final class NetlinkAttributes {
    private static final int TYPE_MASK = 0x3fff;

    /// One attribute.
    public record Attribute(int type, byte[] value) {
        public NetlinkAttributes nested() {
            return of(value, 0, value.length);
        }
    }

    private final List<Attribute> attributes;

    private NetlinkAttributes(List<Attribute> attributes) {
        this.attributes = attributes;
    }

    public static NetlinkAttributes of(byte[] bytes, int from, int to) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        List<Attribute> attributes = new ArrayList<>();
        int at = from;
        while (at + 4 <= to) {
            int length = buffer.getShort(at) & 0xffff;
            if (length < 4 || at + length > to) {
                throw new IllegalStateException("netlink attribute of %d bytes at %d of %d".formatted(length, at, to));
            }
            attributes.add(
                    new Attribute(buffer.getShort(at + 2) & TYPE_MASK, Arrays.copyOfRange(bytes, at + 4, at + length)));
            at += (length + 3) & ~3;
        }
        return new NetlinkAttributes(List.copyOf(attributes));
    }

    public List<Attribute> all() {
        return attributes;
    }

    public Optional<byte[]> find(int type) {
        return attributes.stream()
                .filter(a -> a.type == type)
                .map(Attribute::value)
                .findFirst();
    }

    /// The attributes inside that of `type`; none if it is not there.
    public NetlinkAttributes nested(int type) {
        return find(type).map(value -> of(value, 0, value.length)).orElse(new NetlinkAttributes(List.of()));
    }

    /// A text, without the zero at its end; empty if it is not there.
    public String text(int type) {
        return find(type)
                .map(value -> {
                    int end = value.length > 0 && value[value.length - 1] == 0 ? value.length - 1 : value.length;
                    return new String(value, 0, end, StandardCharsets.UTF_8);
                })
                .orElse("");
    }

    /// An 8-bit number; 0 if it is not there.
    public int u8(int type) {
        return number(type, 1).map(value -> value.get() & 0xff).orElse(0);
    }

    /// A 32-bit number in the machine's byte order; 0 if it is not there.
    public int u32(int type) {
        return number(type, 4)
                .map(value -> value.order(ByteOrder.nativeOrder()).getInt())
                .orElse(0);
    }

    /// A 32-bit number in network byte order; 0 if it is not there.
    public int be32(int type) {
        return number(type, 4).map(ByteBuffer::getInt).orElse(0);
    }

    /// A 64-bit number in network byte order; 0 if it is not there.
    public long be64(int type) {
        return number(type, 8).map(ByteBuffer::getLong).orElse(0L);
    }

    private Optional<ByteBuffer> number(int type, int bytes) {
        Optional<byte[]> found = find(type);
        if (found.isPresent() && found.get().length < bytes) {
            throw new IllegalStateException(
                    "netlink attribute %d has %d bytes instead of %d".formatted(type, found.get().length, bytes));
        }
        return found.map(ByteBuffer::wrap);
    }
}
