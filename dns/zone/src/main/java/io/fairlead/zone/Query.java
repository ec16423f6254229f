package io.fairlead.zone;

/// One question, read from a packet into the same fields again and again.
public final class Query {
    private static final int SMALLEST_PAYLOAD = 512;

    /// What a packet turned out to be.
    public enum Reading {
        /// A question to be answered.
        QUESTION,
        /// Nothing that is ever answered: an answer itself, or too short for a header.
        SILENCE,
        /// Not understood.
        MALFORMED,
        /// Understood, of a kind that this server does not do.
        NOT_IMPLEMENTED,
        /// Of a later version of EDNS.
        BAD_VERSION
    }

    private final Name name = Name.reused();
    private byte[] packet = new byte[Wire.HEADER];
    private int length;
    private int type;
    private int recordClass;
    private int questionEnd;
    private boolean extended;
    private int payload;
    private int extendedFlags;

    /// Reads the packet, which must not change before its answer is written.
    public Reading read(byte[] bytes, int size) {
        packet = bytes;
        length = size;
        type = 0;
        questionEnd = Wire.HEADER;
        extended = false;
        payload = SMALLEST_PAYLOAD;
        extendedFlags = 0;
        if (size < Wire.HEADER || (flags() & Wire.RESPONSE) != 0) {
            return Reading.SILENCE;
        }
        if ((flags() & Wire.OPCODE) != 0) {
            return Reading.NOT_IMPLEMENTED;
        }
        boolean one = Wire.getShort(bytes, Wire.QUESTIONS) == 1
                && Wire.getShort(bytes, Wire.ANSWERS) == 0
                && Wire.getShort(bytes, Wire.AUTHORITY) == 0;
        return one && question() ? additional() : Reading.MALFORMED;
    }

    private boolean question() {
        int end = name.refill(packet, Wire.HEADER, length);
        if (end < 0 || end + 4 > length) {
            return false;
        }
        type = Wire.getShort(packet, end);
        recordClass = Wire.getShort(packet, end + 2);
        questionEnd = end + 4;
        return true;
    }

    /// Looks for the OPT record; others (a signature) are passed over.
    private Reading additional() {
        int count = Wire.getShort(packet, Wire.ADDITIONAL);
        int at = questionEnd;
        int version = 0;
        for (int i = 0; i < count; i++) {
            int body = skipName(at);
            if (body < 0 || body + 10 > length || body + 10 + Wire.getShort(packet, body + 8) > length) {
                return Reading.MALFORMED;
            }
            if (Wire.getShort(packet, body) == RecordType.OPT) {
                if (extended || packet[at] != 0) {
                    return Reading.MALFORMED;
                }
                extended = true;
                payload = Math.max(SMALLEST_PAYLOAD, Wire.getShort(packet, body + 2));
                version = packet[body + 5];
                extendedFlags = Wire.getShort(packet, body + 6);
            }
            at = body + 10 + Wire.getShort(packet, body + 8);
        }
        return version == 0 ? Reading.QUESTION : Reading.BAD_VERSION;
    }

    private int skipName(int from) {
        int at = from;
        while (at < length) {
            int size = packet[at];
            if (size == 0) {
                return at + 1;
            }
            if ((size & 0xc0) == 0xc0) {
                return at + 2;
            }
            if (size < 0 || size > Name.MAX_LABEL) {
                return -1;
            }
            at += size + 1;
        }
        return -1;
    }

    /// The name, lent until the next packet is read.
    public Name name() {
        return name;
    }

    public int type() {
        return type;
    }

    public int recordClass() {
        return recordClass;
    }

    public int id() {
        return Wire.getShort(packet, 0);
    }

    public int flags() {
        return Wire.getShort(packet, Wire.FLAGS);
    }

    /// How long an answer by UDP may be.
    public int payload() {
        return payload;
    }

    public boolean isExtended() {
        return extended;
    }

    /// The flags of EDNS, as they came: DNSSEC wanted is the first.
    public int extendedFlags() {
        return extendedFlags;
    }

    byte[] packet() {
        return packet;
    }

    int length() {
        return length;
    }

    /// Where the question ends in the packet; the end of the header where there is none.
    public int questionEnd() {
        return questionEnd;
    }
}
