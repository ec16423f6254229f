package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A compiler of texts. Services share notes: one for each pod, one for each count of targets.
/// Where there are more targets than `most`, it does not say whose a door is.
final class NoteCompiler implements Compiler<NoteEntry> {
    final AtomicInteger compiled = new AtomicInteger();
    private final int most;

    NoteCompiler() {
        this(Integer.MAX_VALUE);
    }

    NoteCompiler(int most) {
        this.most = most;
    }

    @Override
    public List<NoteEntry> foundation(NodeFacts node) {
        return List.of(new NoteEntry("foundation", "v1" + node.zone()));
    }

    @Override
    public Compiled<NoteEntry> compile(List<Forwarding> rows, Detail detail) {
        return Compiled.of(compile(rows, row -> detail == Detail.FULL ? row.service() + " " : ""));
    }

    @Override
    public OptionalInt mostInFull() {
        return OptionalInt.of(most);
    }

    @Override
    public Tracer tracer(Program<NoteEntry> program, NodeFacts node) {
        return packet -> new Trace.Untouched();
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
}
