package io.fairlead.objects;

/// A range of ports, both ends included; prints as `30000-32767`.
public record PortRange(int first, int last) {
    public PortRange {
        if (first < 1 || last > 65535 || first > last) {
            throw new IllegalArgumentException("not a range of ports: " + first + "-" + last);
        }
    }

    /// The range that `text` spells, as in `30000-32767`.
    public static PortRange parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("not a range of ports: " + text);
        }
        return new PortRange(
                Integer.parseInt(text.substring(0, dash).strip()),
                Integer.parseInt(text.substring(dash + 1).strip()));
    }

    public int size() {
        return last - first + 1;
    }

    public boolean contains(int port) {
        return port >= first && port <= last;
    }

    @Override
    public String toString() {
        return first + "-" + last;
    }
}
