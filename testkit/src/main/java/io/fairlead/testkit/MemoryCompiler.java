package io.fairlead.testkit;

import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Tracer;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Compiles each row to itself: what every other compiler must come to.
public final class MemoryCompiler implements Compiler<MemoryEntry> {
    @Override
    public List<MemoryEntry> foundation(NodeFacts node) {
        return List.of(new MemoryEntry.Switch());
    }

    @Override
    public Compiled<MemoryEntry> compile(List<Forwarding> rows, Detail detail) {
        List<MemoryEntry> entries = new ArrayList<>();
        for (Forwarding row : rows) {
            entries.add(new MemoryEntry.Door(row));
            Stream.of(row.verdict(), row.inside())
                    .flatMap(verdict -> verdict instanceof Verdict.SendTo(var targets) ? targets.stream() : Stream.of())
                    .filter(row::mayLeadBack)
                    .forEach(target ->
                            entries.add(new MemoryEntry.Hairpin(target.address().ip())));
        }
        return Compiled.of(entries);
    }

    @Override
    public Tracer tracer(Program<MemoryEntry> program, NodeFacts node) {
        return new MemoryTracer(program, node);
    }
}
