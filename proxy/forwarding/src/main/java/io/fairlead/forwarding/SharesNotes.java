package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a backend cannot do that chooses without looking at connections: in turn or at random, by weight. Pure.
public final class SharesNotes {
    private static final String AT_RANDOM = "at random, by weight";

    private SharesNotes() {}

    /// Whether a backend of this kind gives the targets of a row their turns. A client that keeps its target leaves
    /// no turn for another.
    public static boolean inTurn(Forwarding row) {
        return (row.scheduler() == Scheduler.RR || row.scheduler() == Scheduler.WRR)
                && row.affinity() instanceof Affinity.None;
    }

    /// A note for each row that asks for what is not done: `most` is how many shares the backend can give.
    public static List<Note> of(List<Forwarding> rows, int most) {
        List<Note> notes = new ArrayList<>();
        for (Forwarding row : rows) {
            if (row.scheduler() != Scheduler.NODE_DEFAULT && !inTurn(row)) {
                notes.add(row.note("the scheduler " + row.scheduler(), AT_RANDOM));
            }
            if (targets(row).anyMatch(targets -> !Turns.isExact(targets, most))) {
                notes.add(row.note("weights of endpoints", "rounded to %d shares".formatted(most)));
            }
        }
        return List.copyOf(notes);
    }

    private static Stream<List<Target>> targets(Forwarding row) {
        return Stream.of(row.verdict(), row.inside())
                .flatMap(verdict ->
                        verdict instanceof Verdict.SendTo(List<Target> targets) ? Stream.of(targets) : Stream.of());
    }
}
