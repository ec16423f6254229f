package io.fairlead.testkit;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A backend that programs a [MemoryKernel]: all promises of the door, without root.
public final class MemoryBackend implements Backend<MemoryEntry>, ConnectionCounters {
    private final MemoryKernel kernel;

    public MemoryBackend(MemoryKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public Support support() {
        return new Support.Supported();
    }

    @Override
    public List<MemoryEntry> foundation(NodeFacts node) {
        return List.of(new MemoryEntry.Switch());
    }

    @Override
    public List<MemoryEntry> compile(List<Forwarding> rows) {
        List<MemoryEntry> entries = new ArrayList<>();
        for (Forwarding row : rows) {
            entries.add(new MemoryEntry.Door(row));
            Stream.of(row.verdict(), row.inside())
                    .flatMap(verdict -> verdict instanceof Verdict.SendTo(var targets) ? targets.stream() : Stream.of())
                    .filter(row::mayLeadBack)
                    .forEach(target ->
                            entries.add(new MemoryEntry.Hairpin(target.address().ip())));
        }
        return entries;
    }

    @Override
    public Program<MemoryEntry> observe() {
        return kernel.program();
    }

    @Override
    public void apply(Patch<MemoryEntry> patch) {
        kernel.apply(patch);
    }

    @Override
    public List<ConnectionCount> connections() {
        return kernel.connections();
    }

    @Override
    public void close() {
        // There is no door to let go of; the kernel keeps what it has.
    }
}
