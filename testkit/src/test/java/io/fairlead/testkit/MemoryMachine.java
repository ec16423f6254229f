package io.fairlead.testkit;

import io.fairlead.forwarding.Backend;
import java.util.function.Function;

/// A machine without a kernel, for backends in memory.
record MemoryMachine(MemoryKernel kernel, Function<MemoryKernel, Backend<MemoryEntry>> opener)
        implements BackendContract.Machine<MemoryEntry> {

    static MemoryMachine of(Function<MemoryKernel, Backend<MemoryEntry>> opener) {
        return new MemoryMachine(new MemoryKernel(), opener);
    }

    @Override
    public Backend<MemoryEntry> open() {
        return opener.apply(kernel);
    }

    @Override
    public String leftovers() {
        return kernel.program().text();
    }

    @Override
    public void close() {}
}
