package io.fairlead.schema;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Writes the wire format of protobuf: one message. Fields go out in the order of the calls.
final class WireWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] toBytes() {
        return out.toByteArray();
    }

    boolean isEmpty() {
        return out.size() == 0;
    }

    WireWriter number(int field, long value) {
        varint(tag(field, WireReader.WireType.VARINT));
        varint(value);
        return this;
    }

    WireWriter flag(int field, boolean value) {
        return number(field, value ? 1 : 0);
    }

    WireWriter fixedDouble(int field, double value) {
        varint(tag(field, WireReader.WireType.FIXED64));
        long bits = Double.doubleToLongBits(value);
        for (int shift = 0; shift < 64; shift += 8) {
            out.write((int) (bits >>> shift));
        }
        return this;
    }

    WireWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    WireWriter message(int field, WireWriter value) {
        return bytes(field, value.toBytes());
    }

    WireWriter bytes(int field, byte[] value) {
        varint(tag(field, WireReader.WireType.LENGTH));
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private static long tag(int field, WireReader.WireType type) {
        return ((long) field << 3) | type.code();
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
