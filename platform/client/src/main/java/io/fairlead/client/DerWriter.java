package io.fairlead.client;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/// As much of DER as it takes to wrap a private key: values of one tag after the other, each with its length.
final class DerWriter {
    static final int SEQUENCE = 0x30;
    static final int OCTET_STRING = 0x04;

    /// The curve in a SEC 1 key.
    static final int PARAMETERS = 0xa0;

    private static final int LONG_FORM = 0x80;

    private DerWriter() {}

    /// One value.
    static byte[] of(int tag, byte[] content) {
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < LONG_FORM) {
            out.write(content.length);
        } else {
            out.write(LONG_FORM | 2); // no key is as long as 64 KiB
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    static byte[] concat(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /// The content of the first value, if it has this tag.
    static Optional<byte[]> content(byte[] der, int tag) {
        return der.length > 0 && (der[0] & 0xff) == tag ? find(der, tag) : Optional.empty();
    }

    /// The content of the first value of this tag, among values that stand one after the other.
    static Optional<byte[]> find(byte[] values, int tag) {
        int at = 0;
        while (at + 1 < values.length) {
            int first = values[at + 1] & 0xff;
            int extra = first < LONG_FORM ? 0 : first & 0x7f;
            int start = at + 2 + extra;
            if (extra > 2 || start > values.length) {
                return Optional.empty();
            }
            int length = extra == 0 ? first : number(values, at + 2, extra);
            if (start + length > values.length) {
                return Optional.empty();
            }
            if ((values[at] & 0xff) == tag) {
                return Optional.of(Arrays.copyOfRange(values, start, start + length));
            }
            at = start + length;
        }
        return Optional.empty();
    }

    private static int number(byte[] bytes, int at, int count) {
        int number = 0;
        for (int i = 0; i < count; i++) {
            number = (number << 8) | (bytes[at + i] & 0xff);
        }
        return number;
    }
}
