package io.fairlead.forwarding;

import java.util.List;

/// What one Service gives: the entries it needs, and what could not be done as asked.
public record Compiled<E extends Entry>(List<E> entries, List<Note> notes) {
    public Compiled {
        entries = List.copyOf(entries);
        notes = List.copyOf(notes);
    }

    /// Everything was done as asked.
    public static <E extends Entry> Compiled<E> of(List<E> entries) {
        return new Compiled<>(entries, List.of());
    }
}
