package io.fairlead.access;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// The few forms of DER (X.690) that a certificate is made of; each method gives one whole element.
final class Der {
    private static final DateTimeFormatter SHORT_YEAR =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LONG_YEAR =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant YEAR_2050 = Instant.parse("2050-01-01T00:00:00Z");

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return element(0x30, joined(parts));
    }

    static byte[] set(byte[]... parts) {
        return element(0x31, joined(parts));
    }

    static byte[] integer(BigInteger value) {
        return element(0x02, value.toByteArray());
    }

    static byte[] bool(boolean value) {
        return element(0x01, new byte[] {(byte) (value ? 0xff : 0)});
    }

    static byte[] octets(byte[] bytes) {
        return element(0x04, bytes);
    }

    /// `unused` says how many bits at the end do not count.
    static byte[] bits(int unused, byte[] bytes) {
        return element(0x03, joined(new byte[] {(byte) unused}, bytes));
    }

    static byte[] text(String text) {
        return element(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    /// RFC 5280 §4.1.2.5: two digits for the year until 2049, four from then on.
    static byte[] time(Instant time) {
        return time.isBefore(YEAR_2050)
                ? element(0x17, SHORT_YEAR.format(time).getBytes(StandardCharsets.US_ASCII))
                : element(0x18, LONG_YEAR.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] objectId(String dotted) {
        String[] numbers = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writeBase128(out, Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
        for (int i = 2; i < numbers.length; i++) {
            writeBase128(out, Integer.parseInt(numbers[i]));
        }
        return element(0x06, out.toByteArray());
    }

    /// `[number]` around whole elements.
    static byte[] explicit(int number, byte[] element) {
        return element(0xa0 | number, element);
    }

    /// `[number]` in place of the tag that the content would have.
    static byte[] implicit(int number, byte[] content) {
        return element(0x80 | number, content);
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int sign = length[0] == 0 ? 1 : 0;
            out.write(0x80 | (length.length - sign));
            out.write(length, sign, length.length - sign);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static void writeBase128(ByteArrayOutputStream out, int number) {
        for (int shift = 28; shift > 0; shift -= 7) {
            if (number >> shift != 0) {
                out.write(0x80 | (number >> shift & 0x7f));
            }
        }
        out.write(number & 0x7f);
    }
}
