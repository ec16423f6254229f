package io.fairlead.bench;

import java.util.Locale;

/// What a hostile connection does.
enum HostileKind {
    /// It connects and says nothing.
    SILENT,
    /// It sends a header byte by byte.
    SLOW_HEADER,
    /// It asks for a write as a user who may, and sends the body byte by byte.
    SLOW_BODY,
    /// It asks, ends its own side, and never reads.
    HALF_CLOSED,
    /// It asks for something small again and again.
    FLOOD,
    /// It speaks HTTP/2, and takes back each request that it has just made.
    RESETS;

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static HostileKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
