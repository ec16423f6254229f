package io.fairlead.nftables;

import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Note;
import io.fairlead.forwarding.SharesNotes;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the maps of this room cannot do as a row asks. Pure.
final class Notes {
    private Notes() {}

    static List<Note> of(List<Forwarding> rows) {
        List<Note> notes = new ArrayList<>(SharesNotes.of(rows, RowEntries.MOST_SHARES));
        for (Forwarding row : rows) {
            int targets = Stream.of(row.verdict(), row.inside())
                    .mapToInt(verdict -> verdict instanceof Verdict.SendTo(var some) ? some.size() : 0)
                    .max()
                    .orElse(0);
            if (row.affinity() instanceof Affinity.ClientIp && targets > Plan.MOST_REMEMBERED) {
                notes.add(row.note(
                        "session affinity among %d endpoints".formatted(targets),
                        "connections go to the first %d of them".formatted(Plan.MOST_REMEMBERED)));
            }
        }
        return notes;
    }
}
