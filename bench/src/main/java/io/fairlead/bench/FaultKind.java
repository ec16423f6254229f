package io.fairlead.bench;

import java.util.Locale;

/// What a [FaultSite] can do to a server or to its store.
enum FaultKind {
    /// The server dies by `kill -9` and starts again.
    KILL,
    /// A member of etcd dies by `kill -9` and starts again.
    ETCD_KILL,
    /// The server stands still (SIGSTOP) and goes on.
    PAUSE,
    /// The disk of the store is full, and then has room again.
    DISK,
    /// Nothing passes between the server and etcd, and then everything does again.
    CUT,
    /// Two of three members of etcd stand still, and then go on.
    QUORUM;

    /// As the command line names it.
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static FaultKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
