package io.fairlead.zone;

import java.util.List;

/// Writes answers, one after the other, into the same bytes.
public final class Reply {
    /// The longest message there is: what TCP carries.
    public static final int MAX_LENGTH = 65535;

    /// What we say we can take by UDP; larger packets may be lost in pieces.
    public static final int OWN_PAYLOAD = 1232;

    private static final int OPT_LENGTH = 11;

    private final byte[] out = new byte[MAX_LENGTH];
    private int at;
    private int turn;

    /// The bytes that were written last.
    public byte[] bytes() {
        return out;
    }

    /// What a Zone said, in `limit` bytes; gives how many it took.
    public int write(Query query, ZoneAnswer answer, Authority authority, int limit) {
        return switch (answer) {
            case ZoneAnswer.Found found -> found(query, found, limit);
            case ZoneAnswer.Alias(ZoneAnswer.Found alias, Name _) -> found(query, alias, limit);
            case ZoneAnswer.NoData _ -> denial(query, authority, ResponseCode.NOERROR);
            case ZoneAnswer.NoSuchName _ -> denial(query, authority, ResponseCode.NXDOMAIN);
            case ZoneAnswer.NotOurs _ -> refuse(query, ResponseCode.REFUSED);
        };
    }

    /// An answer without records.
    public int refuse(Query query, ResponseCode code) {
        begin(query, 0, code.code() & Wire.CODE);
        return end(query, code.code() >> 4);
    }

    /// The same to what could not be read: no question is repeated.
    public int refuseHeader(Query query, ResponseCode code) {
        System.arraycopy(query.packet(), 0, out, 0, 2);
        int kept = query.flags() & (Wire.OPCODE | Wire.RECURSION_DESIRED);
        Wire.putShort(out, Wire.FLAGS, Wire.RESPONSE | kept | code.code());
        Wire.putInt(out, Wire.QUESTIONS, 0);
        Wire.putInt(out, Wire.AUTHORITY, 0);
        at = Wire.HEADER;
        return at;
    }

    private int found(Query query, ZoneAnswer.Found found, int limit) {
        begin(query, Wire.AUTHORITATIVE, 0);
        int room = limit - (query.isExtended() ? OPT_LENGTH : 0);
        if (at + found.bytes.length > room) {
            return cut(query, found, room);
        }
        copy(found);
        Wire.putShort(out, Wire.ANSWERS, found.ends.length);
        if (found.extraCount > 0 && at + found.extra.length <= room) {
            System.arraycopy(found.extra, 0, out, at, found.extra.length);
            at += found.extra.length;
            Wire.putShort(out, Wire.ADDITIONAL, found.extraCount);
        }
        return end(query, 0);
    }

    /// One record of the cluster, so short that every carrier takes it.
    int writeOne(Query query, byte[] bytes, int from, int length) {
        begin(query, Wire.AUTHORITATIVE, 0);
        System.arraycopy(bytes, from, out, at, length);
        at += length;
        Wire.putShort(out, Wire.ANSWERS, 1);
        return end(query, 0);
    }

    /// Copies the records, beginning with another one each time.
    private void copy(ZoneAnswer.Found found) {
        byte[] bytes = found.bytes;
        int split = 0;
        if (found.ends.length > 1 && (found.type() == RecordType.A || found.type() == RecordType.AAAA)) {
            turn++;
            split = found.ends[(turn & Integer.MAX_VALUE) % found.ends.length] % bytes.length;
        }
        System.arraycopy(bytes, split, out, at, bytes.length - split);
        System.arraycopy(bytes, 0, out, at + bytes.length - split, split);
        at += bytes.length;
    }

    /// As many records as there is room for; the client asks again by TCP.
    private int cut(Query query, ZoneAnswer.Found found, int room) {
        int count = 0;
        while (count < found.ends.length && at + found.ends[count] <= room) {
            count++;
        }
        int size = count == 0 ? 0 : found.ends[count - 1];
        System.arraycopy(found.bytes, 0, out, at, size);
        at += size;
        Wire.putShort(out, Wire.ANSWERS, count);
        truncated();
        return end(query, 0);
    }

    private void truncated() {
        Wire.putShort(out, Wire.FLAGS, Wire.getShort(out, Wire.FLAGS) | Wire.TRUNCATED);
    }

    private int denial(Query query, Authority authority, ResponseCode code) {
        begin(query, Wire.AUTHORITATIVE, code.code());
        if (query.name().isWithin(authority.origin())) {
            int pointer =
                    Wire.HEADER + query.name().length() - authority.origin().length();
            at = authority.write(out, at, pointer);
            Wire.putShort(out, Wire.AUTHORITY, 1);
        }
        return end(query, 0);
    }

    /// An answer of records of any owner: what came from elsewhere, or by way of an alias.
    public int write(Query query, Sections sections, int limit) {
        begin(query, sections.flags() & Wire.AUTHORITATIVE, sections.code());
        int room = limit - (query.isExtended() ? OPT_LENGTH : 0);
        int answers = put(query, sections.answers(), room);
        Wire.putShort(out, Wire.ANSWERS, answers);
        if (answers < sections.answers().size()) {
            truncated();
            return end(query, 0);
        }
        int authority = put(query, sections.authority(), room);
        Wire.putShort(out, Wire.AUTHORITY, authority);
        Wire.putShort(out, Wire.ADDITIONAL, put(query, sections.additional(), room));
        return end(query, 0);
    }

    /// An answer that is kept, `age` seconds after it came.
    public int write(Query query, KeptAnswer kept, int age, int limit) {
        begin(query, kept.sections.flags() & Wire.AUTHORITATIVE, kept.sections.code());
        if (at + kept.bytes.length > limit - (query.isExtended() ? OPT_LENGTH : 0)) {
            return write(query, kept.aged(age), limit);
        }
        System.arraycopy(kept.bytes, 0, out, at, kept.bytes.length);
        for (int place : kept.places) {
            Wire.putInt(out, at + place, KeptAnswer.left(Wire.getInt(kept.bytes, place), age));
        }
        at += kept.bytes.length;
        Wire.putShort(out, Wire.ANSWERS, kept.sections.answers().size());
        Wire.putShort(out, Wire.AUTHORITY, kept.sections.authority().size());
        return end(query, 0);
    }

    /// Writes those there is room for; gives how many.
    private int put(Query query, List<ResourceRecord> records, int room) {
        int count = 0;
        for (ResourceRecord record : records) {
            boolean own = record.owner().equals(query.name());
            int owner = own ? 2 : record.owner().length();
            if (at + owner + 10 + record.content().length > room) {
                return count;
            }
            if (own) {
                Wire.putShort(out, at, Wire.TO_QUESTION);
                at = ZoneAnswer.Found.writeBody(record, out, at + 2);
            } else {
                at = ZoneAnswer.Found.writeBody(record, out, record.owner().write(out, at));
            }
            count++;
        }
        return count;
    }

    private void begin(Query query, int flags, int code) {
        System.arraycopy(query.packet(), 0, out, 0, query.questionEnd());
        int kept = query.flags() & (Wire.OPCODE | Wire.RECURSION_DESIRED | Wire.CHECKING_DISABLED);
        Wire.putShort(out, Wire.FLAGS, Wire.RESPONSE | Wire.RECURSION_AVAILABLE | kept | flags | code);
        Wire.putShort(out, Wire.QUESTIONS, query.questionEnd() > Wire.HEADER ? 1 : 0);
        Wire.putInt(out, Wire.ANSWERS, 0);
        Wire.putShort(out, Wire.ADDITIONAL, 0);
        at = query.questionEnd();
    }

    private int end(Query query, int upperCode) {
        if (query.isExtended()) {
            out[at] = 0;
            Wire.putShort(out, at + 1, RecordType.OPT);
            Wire.putShort(out, at + 3, OWN_PAYLOAD);
            out[at + 5] = (byte) upperCode;
            out[at + 6] = 0;
            Wire.putShort(out, at + 7, query.extendedFlags() & 0x8000);
            Wire.putShort(out, at + 9, 0);
            at += OPT_LENGTH;
            Wire.putShort(out, Wire.ADDITIONAL, Wire.getShort(out, Wire.ADDITIONAL) + 1);
        }
        return at;
    }
}
