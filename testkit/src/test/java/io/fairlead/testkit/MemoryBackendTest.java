package io.fairlead.testkit;

import io.fairlead.forwarding.Backend;

final class MemoryBackendTest implements BackendContract<MemoryEntry> {
    @Override
    public Machine<MemoryEntry> machine() {
        MemoryKernel kernel = new MemoryKernel();
        return new Machine<>() {
            @Override
            public Backend<MemoryEntry> open() {
                return new MemoryBackend(kernel);
            }

            @Override
            public String leftovers() {
                return kernel.program().text();
            }

            @Override
            public void close() {}
        };
    }
}
