package io.fairlead.forwarding;

/// What becomes of connections: `others` from outside of the node, `inside` those of its own pods and processes.
public record Verdicts(Verdict others, Verdict inside) {
    /// The same for every connection.
    public static Verdicts of(Verdict verdict) {
        return new Verdicts(verdict, verdict);
    }

    /// Whether what begins inside is led otherwise than the rest.
    @SuppressWarnings("ReferenceEquality") // mostly they are one, and lists are slow to compare
    boolean isDivided() {
        return inside != others && !inside.equals(others);
    }
}
