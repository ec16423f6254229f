package io.fairlead.sync;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.forwarding.Wake;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryEntry;
import io.fairlead.testkit.MemoryKernel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A backend whose program stays, once it is taken away as a whole, for as long as connections go on.
final class LingeringBackend implements Backend<MemoryEntry>, Wake {
    private final MemoryBackend memory;
    boolean connected = true;
    boolean lingers;
    boolean closed;

    LingeringBackend(MemoryKernel kernel) {
        memory = new MemoryBackend(kernel);
    }

    @Override
    public Support support() {
        return memory.support();
    }

    @Override
    public Compiler<MemoryEntry> compiler() {
        return memory.compiler();
    }

    @Override
    public Program<MemoryEntry> observe(Extent extent) {
        return memory.observe(extent);
    }

    @Override
    public void apply(Patch<MemoryEntry> patch) {
        lingers = connected
                && patch.added().isEmpty()
                && patch.removed().size() == observe().size();
        if (!lingers) {
            memory.apply(patch);
        }
    }

    @Override
    public Abilities abilities() {
        return memory.abilities().withWake(this);
    }

    @Override
    public Optional<Duration> nextLook() {
        return lingers ? Optional.of(Duration.ZERO) : Optional.empty();
    }

    @Override
    public void look() {
        if (lingers && !connected) {
            apply(Patch.between(observe(), Program.of(List.of())));
        }
    }

    @Override
    public void close() {
        closed = true;
        memory.close();
    }
}
