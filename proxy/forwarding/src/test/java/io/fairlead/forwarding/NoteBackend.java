package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A backend that compiles and never applies. Services share notes: one for each pod, one for each count of targets.
/// Where there are more targets than `most`, it does not say whose a door is.
final class NoteBackend implements TerseBackend<NoteEntry> {
    final AtomicInteger compiled = new AtomicInteger();
    private final int most;

    NoteBackend() {
        this(Integer.MAX_VALUE);
    }

    NoteBackend(int most) {
        this.most = most;
    }

    @Override
    public Support support() {
        return new Support.Unsupported("compiles only");
    }

    @Override
    public List<NoteEntry> foundation(NodeFacts node) {
        return List.of(new NoteEntry("foundation", "v1" + node.zone()));
    }

    @Override
    public List<NoteEntry> compile(List<Forwarding> rows) {
        return compile(rows, row -> row.service() + " ");
    }

    @Override
    public boolean isTerse(int targets) {
        return targets > most;
    }

    @Override
    public List<NoteEntry> compileTersely(List<Forwarding> rows) {
        return compile(rows, _ -> "");
    }

    private List<NoteEntry> compile(List<Forwarding> rows, Function<Forwarding, String> owner) {
        compiled.incrementAndGet();
        List<NoteEntry> notes = new ArrayList<>();
        for (Forwarding row : rows) {
            notes.add(new NoteEntry("door " + row.frontend(), owner.apply(row) + row.verdict() + inside(row)));
            if (row.verdict() instanceof Verdict.SendTo(List<Target> targets)) {
                notes.add(new NoteEntry("choice of " + targets.size(), ""));
                targets.forEach(target -> notes.add(new NoteEntry("pod " + target.address(), "" + target.local())));
            }
        }
        return notes;
    }

    private static String inside(Forwarding row) {
        return row.inside().equals(row.verdict()) ? "" : " inside " + row.inside();
    }

    @Override
    public Program<NoteEntry> observe() {
        throw new UnsupportedOperationException("compiles only");
    }

    @Override
    public void apply(Patch<NoteEntry> patch) {
        throw new UnsupportedOperationException("compiles only");
    }

    @Override
    public void close() {}
}
