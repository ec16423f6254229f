package io.fairlead.api;

import java.nio.charset.StandardCharsets;

/// One String for texts that read alike: a cluster has many endpoints, and few nodes and zones.
///
/// A table with one place for each hash, in which the newest stays: as large on the last day as on the first.
final class SharedTexts {
    private static final int PLACES = 1 << 14;

    private final String[] known = new String[PLACES];

    /// The text of these bytes, whose hash is that of a String: 31 times the one before, plus the byte.
    String shared(byte[] bytes, int from, int to, int hash) {
        int place = place(hash);
        String text = known[place];
        if (text == null || !spells(text, bytes, from, to)) {
            text = text(bytes, from, to);
            known[place] = text;
        }
        return text;
    }

    /// Like [#shared], for names of fields: they are the very Strings that the code has.
    String name(byte[] bytes, int from, int to, int hash) {
        int place = place(hash);
        String text = known[place];
        if (text == null || !spells(text, bytes, from, to)) {
            text = text(bytes, from, to).intern();
            known[place] = text;
        }
        return text;
    }

    String text(byte[] bytes, int from, int to) {
        return from == to ? "" : new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static int place(int hash) {
        return (hash ^ hash >>> 14 ^ hash >>> 28) & PLACES - 1;
    }

    /// True only for texts of ASCII; others are made anew.
    private static boolean spells(String text, byte[] bytes, int from, int to) {
        int length = to - from;
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
