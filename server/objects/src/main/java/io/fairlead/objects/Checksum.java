package io.fairlead.objects;

import java.util.zip.CRC32;

/// The CRC-32 of a text and its length, so made that the sums of two texts give that of both in a row.
///
/// A CRC is the remainder of a polynomial over GF(2). To put n bytes behind a text multiplies its polynomial by x^8n;
/// `shift` is the remainder of that for the length of this text. As in zip, the highest power is the lowest bit.
record Checksum(int crc, int shift, long length) {
    private static final int POLYNOMIAL = 0xEDB88320;
    private static final int ONE = 1 << 31;
    private static final int ONE_BYTE = ONE >>> 8;

    static final Checksum EMPTY = new Checksum(0, ONE, 0);

    static Checksum of(byte[] text) {
        return of(text, text.length);
    }

    /// That of the first bytes of a text.
    static Checksum of(byte[] text, int length) {
        CRC32 sum = new CRC32();
        sum.update(text, 0, length);
        return new Checksum((int) sum.getValue(), power(length), length);
    }

    /// That of this text with the other one behind it.
    Checksum then(Checksum next) {
        return new Checksum(product(crc, next.shift) ^ next.crc, product(shift, next.shift), length + next.length);
    }

    /// x to the power of eight times `bytes`, by squares.
    private static int power(int bytes) {
        int power = ONE;
        int square = ONE_BYTE;
        for (int left = bytes; left > 0; left >>>= 1) {
            if ((left & 1) == 1) {
                power = product(power, square);
            }
            square = product(square, square);
        }
        return power;
    }

    private static int product(int left, int right) {
        int sum = 0;
        int times = right; // right, times x for each bit of left that was looked at
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((left & bit) != 0) {
                sum ^= times;
            }
            times = (times & 1) == 0 ? times >>> 1 : times >>> 1 ^ POLYNOMIAL;
        }
        return sum;
    }
}
