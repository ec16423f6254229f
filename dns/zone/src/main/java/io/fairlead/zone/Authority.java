package io.fairlead.zone;

import io.fairlead.api.Revision;

/// The SOA record of a Zone: the one that answers which say no carry.
public record Authority(Name origin, int ttl, int serial) {
    private static final int REFRESH = 7200;
    private static final int RETRY = 1800;
    private static final int EXPIRE = 86400;

    static Authority of(ZoneSettings settings, Revision revision) {
        return new Authority(settings.origin(), settings.ttl(), (int) revision.value());
    }

    public ResourceRecord record() {
        Name server = origin.child("dns").child("ns");
        Name mailbox = origin.child("hostmaster");
        return ResourceRecord.soa(origin, ttl, server, mailbox, new int[] {serial, REFRESH, RETRY, EXPIRE, ttl});
    }

    private static final byte[] SERVER = {2, 'n', 's', 3, 'd', 'n', 's'};
    private static final byte[] MAILBOX = {10, 'h', 'o', 's', 't', 'm', 'a', 's', 't', 'e', 'r'};

    /// How many bytes [#write] writes.
    static final int LENGTH = 2 + 8 + 2 + SERVER.length + 2 + MAILBOX.length + 2 + 20;

    /// Writes the record where the origin stands at `pointer` of the message already.
    int write(byte[] out, int from, int pointer) {
        int origin = 0xc000 | pointer;
        Wire.putShort(out, from, origin);
        Wire.putShort(out, from + 2, RecordType.SOA);
        Wire.putShort(out, from + 4, RecordType.INTERNET);
        Wire.putInt(out, from + 6, ttl);
        Wire.putShort(out, from + 10, LENGTH - 12);
        int at = put(SERVER, out, from + 12, origin);
        at = put(MAILBOX, out, at, origin);
        Wire.putInt(out, at, serial);
        Wire.putInt(out, at + 4, REFRESH);
        Wire.putInt(out, at + 8, RETRY);
        Wire.putInt(out, at + 12, EXPIRE);
        Wire.putInt(out, at + 16, ttl);
        return at + 20;
    }

    private static int put(byte[] labels, byte[] out, int at, int origin) {
        System.arraycopy(labels, 0, out, at, labels.length);
        Wire.putShort(out, at + labels.length, origin);
        return at + labels.length + 2;
    }
}
