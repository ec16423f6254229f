package io.fairlead.api;

/// A point in the store's history; `resourceVersion` on the wire. Zero is before the first write.
public record Revision(long value) implements Comparable<Revision> {
    public static final Revision ZERO = new Revision(0);

    public Revision {
        if (value < 0) {
            throw new IllegalArgumentException("a revision is never negative: " + value);
        }
    }

    public boolean isAfter(Revision other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Revision other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
