package io.fairlead.zone;

import org.jspecify.annotations.Nullable;

/// Answers of a Zone that one thread gave lately, each whole in one place of memory: to find one in the Zone itself
/// leads
/// through a dozen objects, and to wait for memory is most of what an answer costs.
///
/// It has answers of one record alone, which need no turns, and none of another Zone than the one asked last.
public final class HotAnswers {
    private static final int PLACES = 1 << 14;
    private static final int SIZE = 128;

    // What stands at a place: the length of the name, that of the record, the type; then name and record.
    private static final int RECORD_LENGTH = 1;
    private static final int TYPE = 2;
    private static final int NAME = 4;

    private final byte[] bytes = new byte[PLACES * SIZE];
    private final long[] tags = new long[PLACES];
    private @Nullable Zone zone;
    private int generation;

    /// Writes the answer of `current` to a question if it was given lately; 0 if not.
    public int write(Query query, Zone current, Reply reply) {
        if (zone != current) {
            zone = current;
            generation++; // what is there is of another Zone
            return 0;
        }
        Name name = query.name();
        int place = place(name, query.type());
        int at = place * SIZE;
        if (tags[place] != tag(name)
                || bytes[at] != (byte) name.length()
                || Wire.getShort(bytes, at + TYPE) != query.type()
                || !name.isAt(bytes, at + NAME)) {
            return 0;
        }
        return reply.writeOne(query, bytes, at + NAME + name.length(), bytes[at + RECORD_LENGTH]);
    }

    /// Keeps what `current` answered, where it is fit for that.
    public void keep(Query query, Zone current, ZoneAnswer answer) {
        Name name = query.name();
        if (zone != current
                || !(answer instanceof ZoneAnswer.Found found)
                || found.count() != 1
                || found.extraCount > 0
                || NAME + name.length() + found.bytes.length > SIZE) {
            return;
        }
        int place = place(name, query.type());
        int at = place * SIZE;
        bytes[at] = (byte) name.length();
        bytes[at + RECORD_LENGTH] = (byte) found.bytes.length;
        Wire.putShort(bytes, at + TYPE, query.type());
        name.write(bytes, at + NAME);
        System.arraycopy(found.bytes, 0, bytes, at + NAME + name.length(), found.bytes.length);
        tags[place] = tag(name);
    }

    private long tag(Name name) {
        return ((long) name.hashCode() << 32) | Integer.toUnsignedLong(generation);
    }

    private static int place(Name name, int type) {
        int mixed = (name.hashCode() + type) * 0x9e3779b9;
        return mixed >>> (32 - Integer.numberOfTrailingZeros(PLACES));
    }
}
