package io.fairlead.schema;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads the wire format of protobuf: one message, from its first byte to its last.
final class WireReader {
    private static final int MAX_FIELD_NUMBER = (1 << 29) - 1;

    private final byte[] bytes;
    private int position;
    private final int end;

    WireReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private WireReader(byte[] bytes, int position, int end) {
        this.bytes = bytes;
        this.position = position;
        this.end = end;
    }

    /// What comes before each value: the number of its field, and how the value is written.
    record Tag(int number, WireType type) {}

    enum WireType {
        VARINT(0),
        FIXED64(1),
        LENGTH(2),
        GROUP_START(3),
        GROUP_END(4),
        FIXED32(5);

        private static final WireType[] BY_CODE = values();
        private final int code;

        WireType(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    boolean hasMore() {
        return position < end;
    }

    Tag tag() {
        long tag = varint();
        long number = tag >>> 3;
        int type = (int) (tag & 7);
        if (number < 1 || number > MAX_FIELD_NUMBER || type >= WireType.BY_CODE.length) {
            throw new ProtobufException("the tag %d is none of protobuf".formatted(tag));
        }
        return new Tag((int) number, WireType.BY_CODE[type]);
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = next();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new ProtobufException("a number is longer than ten bytes");
    }

    double fixedDouble() {
        return Double.longBitsToDouble(fixed(8));
    }

    /// The message that stands here; this reader goes on behind it.
    WireReader message() {
        int length = length();
        position += length;
        return new WireReader(bytes, position - length, position);
    }

    byte[] bytes() {
        int length = length();
        byte[] copy = new byte[length];
        System.arraycopy(bytes, position, copy, 0, length);
        position += length;
        return copy;
    }

    String text() {
        int length = length();
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, position, length))
                    .toString();
            position += length;
            return text;
        } catch (CharacterCodingException e) {
            throw new ProtobufException("a text is not UTF-8", e);
        }
    }

    /// Passes over a value that the schema does not have.
    void skip(WireType type) {
        switch (type) {
            case VARINT -> varint();
            case FIXED64 -> fixed(8);
            case FIXED32 -> fixed(4);
            case LENGTH -> message();
            case GROUP_START, GROUP_END -> throw new ProtobufException("groups are not part of Kubernetes");
        }
    }

    private long fixed(int size) {
        long value = 0;
        for (int shift = 0; shift < size * 8; shift += 8) {
            value |= (next() & 0xffL) << shift;
        }
        return value;
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - position) {
            throw new ProtobufException(
                    "a value of %s bytes does not fit into its message".formatted(Long.toUnsignedString(length)));
        }
        return (int) length;
    }

    private byte next() {
        if (position >= end) {
            throw new ProtobufException("the message ends in the middle of a value");
        }
        return bytes[position++];
    }
}
