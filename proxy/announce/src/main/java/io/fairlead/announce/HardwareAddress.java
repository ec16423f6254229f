package io.fairlead.announce;

import java.util.HexFormat;

/// The 48 bits by which a network card is known to its neighbours.
record HardwareAddress(long bits) {
    static final HardwareAddress BROADCAST = new HardwareAddress(0xffff_ffff_ffffL);
    static final HardwareAddress NONE = new HardwareAddress(0);

    static HardwareAddress of(byte[] bytes) {
        long bits = 0;
        for (byte b : bytes) {
            bits = (bits << 8) | (b & 0xff);
        }
        return new HardwareAddress(bits);
    }

    byte[] bytes() {
        byte[] bytes = new byte[6];
        for (int i = 0; i < 6; i++) {
            bytes[i] = (byte) (bits >>> (40 - 8 * i));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return HexFormat.ofDelimiter(":").formatHex(bytes());
    }
}
