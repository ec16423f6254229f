package io.fairlead.testkit;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.Lifetime;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;

/// A backend that programs a [MemoryKernel]: all promises of the door, without root.
public final class MemoryBackend implements Backend<MemoryEntry> {
    private final MemoryKernel kernel;
    private final Abilities abilities;

    public MemoryBackend(MemoryKernel kernel) {
        this(kernel, Abilities.DURABLE);
    }

    private MemoryBackend(MemoryKernel kernel, Abilities abilities) {
        this.kernel = kernel;
        this.abilities = abilities.withCounters(kernel::connections);
    }

    /// One that takes its program with it when it is closed, as a relay does.
    public static MemoryBackend processBound(MemoryKernel kernel) {
        return new MemoryBackend(kernel, Abilities.PROCESS_BOUND);
    }

    @Override
    public Support support() {
        return new Support.Supported();
    }

    @Override
    public Compiler<MemoryEntry> compiler() {
        return new MemoryCompiler();
    }

    @Override
    public Program<MemoryEntry> observe(Extent extent) {
        return kernel.program();
    }

    @Override
    public void apply(Patch<MemoryEntry> patch) {
        kernel.apply(patch);
    }

    @Override
    public Abilities abilities() {
        return abilities;
    }

    @Override
    public void close() {
        if (abilities.lifetime() == Lifetime.PROCESS_BOUND) {
            kernel.flush();
        }
    }
}
