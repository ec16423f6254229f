package io.fairlead.store;

import io.fairlead.api.Revision;

/// Revisions of the store that stand for a transaction of etcd, and for the place of one write in it. Pure.
///
/// etcd gives all writes of a transaction the same revision. Ours must differ, or a watcher that goes on after the
/// first write would miss the second. So the low ten bits of a revision are a place, which follows from the key: who
/// knows key and etcd's revision knows ours. A transaction has no two keys of the same place, and writes them in the
/// order of their places. The last place is no key's: it is the end of the transaction.
final class EtcdRevisions {
    private static final int BITS = 10;
    private static final int END = (1 << BITS) - 1;

    private EtcdRevisions() {}

    /// Where the key stands in each transaction that writes it: the same for ever, so that all versions agree.
    static int place(String key) {
        // Keys that are alike have hashes that are near each other, and would meet in few places.
        long spread = Integer.toUnsignedLong(key.hashCode() * 0x9E3779B9);
        return (int) ((spread * END) >>> Integer.SIZE);
    }

    /// Of the write of `key` in etcd's revision `etcd`; zero where that is zero, because there is no such key.
    static Revision of(String key, long etcd) {
        return etcd == 0 ? Revision.ZERO : new Revision(etcd << BITS | place(key));
    }

    /// After all writes of etcd's revision `etcd`.
    static Revision end(long etcd) {
        return new Revision(etcd << BITS | END);
    }

    /// The revision of etcd in which `revision` is.
    static long etcd(Revision revision) {
        return revision.value() >>> BITS;
    }

    /// The last revision of etcd with no write after `revision`.
    static long ended(Revision revision) {
        long etcd = etcd(revision);
        return (revision.value() & END) == END ? etcd : Math.max(0, etcd - 1);
    }

    /// Whether a write of `key` can have been given `revision`.
    static boolean isOf(String key, Revision revision) {
        return revision.equals(Revision.ZERO) || revision.equals(of(key, etcd(revision)));
    }
}
