package io.fairlead.zone;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A domain name as it goes over the wire, in lower case: names that differ in case alone are one.
///
/// A name never changes, but for the one that a [Query] lends out while it reads the next question into it.
public final class Name implements Comparable<Name> {
    /// RFC 1035: the length of a name with all its length bytes.
    public static final int MAX_LENGTH = 255;

    static final int MAX_LABEL = 63;

    public static final Name ROOT = new Name(new byte[1], 1);

    private final byte[] wire;
    private int length;
    private int hash;

    private Name(byte[] wire, int length) {
        this.wire = wire;
        this.length = length;
        this.hash = hash(wire, 0, length);
    }

    /// The name that `text` spells, with or without a dot at its end; nothing where it is too long or a label empty.
    public static Optional<Name> find(String text) {
        String bare = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (bare.isEmpty()) {
            return text.isEmpty() ? Optional.empty() : Optional.of(ROOT);
        }
        byte[] wire = new byte[MAX_LENGTH];
        int at = 0;
        for (String label : bare.split("\\.", -1)) {
            byte[] bytes = label.getBytes(StandardCharsets.UTF_8);
            if (bytes.length == 0 || bytes.length > MAX_LABEL || at + bytes.length + 2 > MAX_LENGTH) {
                return Optional.empty();
            }
            wire[at++] = (byte) bytes.length;
            for (byte one : bytes) {
                wire[at++] = lower(one);
            }
        }
        return Optional.of(new Name(Arrays.copyOf(wire, at + 1), at + 1));
    }

    public static Name of(String text) {
        return find(text).orElseThrow(() -> new IllegalArgumentException("not a domain name: " + text));
    }

    /// The name whose wire form, without compression, is there.
    static Name of(byte[] bytes, int from, int length) {
        byte[] wire = new byte[length];
        for (int i = 0; i < length; i++) {
            wire[i] = lower(bytes[from + i]);
        }
        return new Name(wire, length);
    }

    /// A name that is read into again and again.
    static Name reused() {
        return new Name(new byte[MAX_LENGTH], 0);
    }

    /// Reads the name at `from` into this one; gives where it ends, or -1 where there is none.
    int refill(byte[] packet, int from, int end) {
        int at = from;
        int value = 0;
        while (at < end) {
            int size = packet[at];
            if (size == 0) {
                wire[at - from] = 0;
                this.length = at - from + 1;
                this.hash = 31 * value;
                return at + 1;
            }
            if (size < 0 || size > MAX_LABEL || at + size + 1 >= end || at - from + size + 2 > MAX_LENGTH) {
                return -1;
            }
            wire[at - from] = (byte) size;
            value = 31 * value + size;
            at++;
            for (int stop = at + size; at < stop; at++) {
                byte one = lower(packet[at]);
                wire[at - from] = one;
                value = 31 * value + one;
            }
        }
        return -1;
    }

    /// This name as it is now, to be kept.
    public Name copy() {
        return new Name(Arrays.copyOf(wire, length), length);
    }

    /// The name with one more label before it.
    public Name child(String label) {
        return findChild(label).orElseThrow(() -> new IllegalArgumentException("not a label of a name: " + label));
    }

    /// The same, where the label may be none or the name too long.
    public Optional<Name> findChild(String label) {
        byte[] bytes = label.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MAX_LABEL || length + bytes.length + 1 > MAX_LENGTH) {
            return Optional.empty();
        }
        byte[] all = new byte[length + bytes.length + 1];
        all[0] = (byte) bytes.length;
        for (int i = 0; i < bytes.length; i++) {
            all[i + 1] = lower(bytes[i]);
        }
        System.arraycopy(wire, 0, all, bytes.length + 1, length);
        return Optional.of(new Name(all, all.length));
    }

    /// The name without its first label; the root is its own parent.
    public Name parent() {
        return length == 1 ? this : of(wire, wire[0] + 1, length - wire[0] - 1);
    }

    /// The labels, the first one first.
    public List<String> labels() {
        List<String> labels = new ArrayList<>();
        for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
            labels.add(new String(wire, at + 1, wire[at], StandardCharsets.UTF_8));
        }
        return labels;
    }

    /// The first label.
    String first() {
        return new String(wire, 1, wire[0], StandardCharsets.UTF_8);
    }

    /// Whether this is `other` or a name below it.
    public boolean isWithin(Name other) {
        int start = length - other.length;
        if (start < 0 || !Arrays.equals(wire, start, length, other.wire, 0, other.length)) {
            return false;
        }
        int at = 0;
        while (at < start) {
            at += wire[at] + 1;
        }
        return at == start;
    }

    /// What stands before `origin`, within which it is, and `origin` replaced: for the search path.
    public Optional<Name> moved(Name origin, Name to) {
        int before = length - origin.length;
        if (before + to.length > MAX_LENGTH) {
            return Optional.empty();
        }
        byte[] all = Arrays.copyOf(wire, before + to.length);
        System.arraycopy(to.wire, 0, all, before, to.length);
        return Optional.of(new Name(all, all.length));
    }

    public int length() {
        return length;
    }

    /// Writes it without compression; gives where it ends.
    public int write(byte[] out, int at) {
        System.arraycopy(wire, 0, out, at, length);
        return at + length;
    }

    /// Whether its bytes stand there.
    boolean isAt(byte[] bytes, int from) {
        return Arrays.equals(wire, 0, length, bytes, from, from + length);
    }

    /// Its bytes without compression.
    public byte[] bytes() {
        return Arrays.copyOf(wire, length);
    }

    static byte lower(byte one) {
        return one >= 'A' && one <= 'Z' ? (byte) (one + 32) : one;
    }

    private static int hash(byte[] bytes, int from, int length) {
        int value = 0;
        for (int i = from; i < from + length; i++) {
            value = 31 * value + bytes[i];
        }
        return value;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Name that
                && hash == that.hash
                && length == that.length
                && Arrays.equals(wire, 0, length, that.wire, 0, length);
    }

    /// By the last label first, so that what is below a name stands behind it.
    @Override
    public int compareTo(Name other) {
        List<String> mine = labels().reversed();
        List<String> theirs = other.labels().reversed();
        for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
            int order = mine.get(i).compareTo(theirs.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(mine.size(), theirs.size());
    }

    /// With a dot at its end; what would be read otherwise is escaped as in a zone file.
    @Override
    public String toString() {
        if (length <= 1) {
            return ".";
        }
        StringBuilder text = new StringBuilder();
        for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
            for (int i = at + 1; i <= at + wire[at]; i++) {
                append(text, wire[i] & 0xff);
            }
            text.append('.');
        }
        return text.toString();
    }

    private static void append(StringBuilder text, int one) {
        if (one <= ' ' || one > '~') {
            text.append('\\').append(String.valueOf(1000 + one), 1, 4);
        } else if (".\\\"();@$".indexOf(one) >= 0) {
            text.append('\\').append((char) one);
        } else {
            text.append((char) one);
        }
    }
}
