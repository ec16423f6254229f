package io.fairlead.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/// One String for texts that read alike: a cluster has many endpoints, and few nodes and zones.
///
/// A table with one place for each hash, in which the newest stays: as large on the last day as on the first.
final class SharedTexts {
    private static final int PLACES = 1 << 14;

    /// A text, its bytes, and whether it is the name of a field that is never read.
    record Known(String text, byte[] bytes, boolean unread) {
        boolean isSpelled(byte[] window, int from, int to) {
            byte[] own = bytes;
            if (own.length != to - from) {
                return false;
            }
            for (int i = 0; i < own.length; i++) {
                if (own[i] != window[from + i]) {
                    return false;
                }
            }
            return true;
        }
    }

    private final Known[] texts = new Known[PLACES];
    private final Known[] names = new Known[PLACES];
    private final Set<String> unread;

    /// `unread` are the names of fields that are never read.
    SharedTexts(Set<String> unread) {
        this.unread = unread;
    }

    /// The text of these bytes, whose hash is that of a String: 31 times the one before, plus the byte.
    String shared(byte[] bytes, int from, int to, int hash) {
        int place = place(hash);
        Known known = texts[place];
        if (known == null || !known.isSpelled(bytes, from, to)) {
            known = new Known(text(bytes, from, to), Arrays.copyOfRange(bytes, from, to), false);
            texts[place] = known;
        }
        return known.text;
    }

    /// Like [#shared], for names of fields: they are the very Strings that the code has.
    Known name(byte[] bytes, int from, int to, int hash) {
        int place = place(hash);
        Known known = names[place];
        if (known == null || !known.isSpelled(bytes, from, to)) {
            String name = text(bytes, from, to).intern();
            known = new Known(name, Arrays.copyOfRange(bytes, from, to), unread.contains(name));
            names[place] = known;
        }
        return known;
    }

    String text(byte[] bytes, int from, int to) {
        return from == to ? "" : new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static int place(int hash) {
        return (hash ^ hash >>> 14 ^ hash >>> 28) & PLACES - 1;
    }
}
