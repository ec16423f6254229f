package io.fairlead.zone;

/// Numbers as they stand in a message, and where the parts of its header are (RFC 1035, 4.1.1).
public final class Wire {
    public static final int HEADER = 12;

    public static final int FLAGS = 2;
    public static final int QUESTIONS = 4;
    public static final int ANSWERS = 6;
    public static final int AUTHORITY = 8;
    public static final int ADDITIONAL = 10;

    public static final int RESPONSE = 0x8000;
    public static final int AUTHORITATIVE = 0x0400;
    public static final int TRUNCATED = 0x0200;
    public static final int RECURSION_DESIRED = 0x0100;
    public static final int RECURSION_AVAILABLE = 0x0080;
    public static final int CHECKING_DISABLED = 0x0010;
    public static final int OPCODE = 0x7800;
    public static final int CODE = 0x000f;

    /// A pointer to the name of the question, which stands right behind the header.
    static final int TO_QUESTION = 0xc000 | HEADER;

    private Wire() {}

    public static int getShort(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    }

    public static int getInt(byte[] bytes, int at) {
        return getShort(bytes, at) << 16 | getShort(bytes, at + 2);
    }

    public static void putShort(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }

    public static void putInt(byte[] bytes, int at, int value) {
        putShort(bytes, at, value >>> 16);
        putShort(bytes, at + 2, value);
    }
}
