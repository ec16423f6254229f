package io.fairlead.nftables;

import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetlinkWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// What registers hold and keys are made of; immutable.
///
/// A concatenation is its fields one behind the other, each padded to the 4 bytes of a register. Addresses and ports
/// stand as on the wire, numbers in the machine's byte order: so the packet's own bytes are compared with them.
final class Bytes implements NftablesEntry.Content {
    static final Bytes NONE = new Bytes(new byte[0]);
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final byte[] bytes;
    private int hash; // 0 until hashCode computes it

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    static Bytes of(byte... bytes) {
        return new Bytes(bytes.clone());
    }

    static Bytes number(int number) {
        return NONE.andNumber(number);
    }

    Bytes and(Ip ip) {
        byte[] more = ip.bytes();
        byte[] both = Arrays.copyOf(bytes, bytes.length + more.length);
        System.arraycopy(more, 0, both, bytes.length, more.length);
        return new Bytes(both);
    }

    Bytes and(Protocol protocol) {
        return andRegister(protocol.number() << 24);
    }

    Bytes andPort(int port) {
        return andRegister(port << 16);
    }

    Bytes andNumber(int number) {
        return andRegister(LITTLE ? Integer.reverseBytes(number) : number);
    }

    /// Four bytes more, the highest first. Byte by byte: a hundred thousand are made at a start, before a buffer's
    /// methods are compiled.
    private Bytes andRegister(int register) {
        int at = bytes.length;
        byte[] both = Arrays.copyOf(bytes, at + 4);
        both[at] = (byte) (register >>> 24);
        both[at + 1] = (byte) (register >>> 16);
        both[at + 2] = (byte) (register >>> 8);
        both[at + 3] = (byte) register;
        return new Bytes(both);
    }

    int length() {
        return bytes.length;
    }

    Bytes slice(int from, int length) {
        return new Bytes(Arrays.copyOfRange(bytes, from, from + length));
    }

    Ip ip() {
        return Ip.of(bytes);
    }

    /// The number in the first byte: a protocol.
    int octet() {
        return bytes[0] & 0xff;
    }

    int port() {
        return ByteBuffer.wrap(bytes).getShort() & 0xffff;
    }

    int number() {
        return host(ByteBuffer.wrap(bytes)).getInt();
    }

    /// How many bits are set at the front, if these are all that is set; -1 otherwise.
    int prefix() {
        int ones = 0;
        while (ones < bytes.length * 8 && bit(ones)) {
            ones++;
        }
        for (int i = ones; i < bytes.length * 8; i++) {
            if (bit(i)) {
                return -1;
            }
        }
        return ones;
    }

    private boolean bit(int index) {
        return (bytes[index / 8] & (0x80 >>> (index % 8))) != 0;
    }

    /// The bits that `prefix` leaves alone.
    static Bytes mask(int prefix, int length) {
        byte[] mask = new byte[length];
        for (int i = 0; i < prefix; i++) {
            mask[i / 8] |= (byte) (0x80 >>> (i % 8));
        }
        return new Bytes(mask);
    }

    Bytes maskedWith(Bytes mask, Bytes flip) {
        byte[] masked = bytes.clone();
        for (int i = 0; i < masked.length; i++) {
            masked[i] = (byte) ((masked[i] & mask.bytes[i]) ^ flip.bytes[i]);
        }
        return new Bytes(masked);
    }

    byte[] toArray() {
        return bytes.clone();
    }

    /// Writes them as an attribute, without what nf_tables wraps values in.
    void writeTo(NetlinkWriter writer, int type) {
        writer.bytes(type, bytes);
    }

    @Override
    public void encode(int type, NetlinkWriter writer) {
        VerdictCodec.value(type, this, writer);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = hash(bytes);
        }
        return hash;
    }

    /// Keys differ in a few bits of a few bytes, which the usual sum by 31 maps on one another.
    private static int hash(byte[] bytes) {
        int hash = bytes.length;
        for (byte b : bytes) {
            hash = (hash ^ b) * 0x01000193;
            hash ^= hash >>> 15;
        }
        return hash;
    }

    @Override
    public String toString() {
        return "0x" + HexFormat.of().formatHex(bytes);
    }

    private static ByteBuffer host(ByteBuffer buffer) {
        return buffer.order(ByteOrder.nativeOrder());
    }
}
