package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a backend cannot do that gives each target the same share of connections, at random. Pure.
public final class EqualShares {
    private static final String DONE = "each endpoint gets the same share, at random";

    private EqualShares() {}

    /// A note for each row that asks for a scheduler, and for each whose targets weigh differently.
    public static List<Note> notes(List<Forwarding> rows) {
        List<Note> notes = new ArrayList<>();
        for (Forwarding row : rows) {
            if (row.scheduler() != Scheduler.NODE_DEFAULT) {
                notes.add(row.note("the scheduler " + row.scheduler(), DONE));
            }
            if (isUneven(row)) {
                notes.add(row.note("weights of endpoints", DONE));
            }
        }
        return List.copyOf(notes);
    }

    private static boolean isUneven(Forwarding row) {
        return Stream.of(row.verdict(), row.inside())
                .anyMatch(verdict -> verdict instanceof Verdict.SendTo(var targets)
                        && targets.stream()
                                .anyMatch(target ->
                                        target.weight() != targets.getFirst().weight()));
    }
}
