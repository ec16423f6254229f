package io.fairlead.forwarding;

import java.util.List;

/// A [Backend] that leaves out what only people read, such as comments, where a table leads to many targets.
///
/// Which of the two it is depends on the table alone, not on what was written before: so a program that was reached
/// step by step is still the one that is compiled from scratch. When the answer changes, every Service is compiled
/// anew, once.
public interface TerseBackend<E extends Entry> extends Backend<E> {
    /// Whether a table that leads to so many targets is written tersely. Pure. A pod counts once for each port of a
    /// Service that it serves.
    boolean isTerse(int targets);

    /// What [Backend#compile] gives, without what only people read. Pure; the keys are the same.
    List<E> compileTersely(List<Forwarding> rows);
}
