package io.fairlead.containers;

import io.fairlead.kernel.Cgroups;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// runc behind the door.
final class RuncRuntimeIT implements RuntimeContract {
    @TempDir
    private Path folder;

    @BeforeEach
    void make() {
        MachineRoot.make(folder.resolve("machine"));
    }

    @AfterEach
    void clean() throws InterruptedException {
        for (ContainerId id : runtime().list("pod")) {
            runtime().remove(id);
        }
        Cgroups.remove(TestSpecs.cgroup());
    }

    @Override
    public ContainerRuntime runtime() {
        return RuncRuntime.open(folder);
    }

    @Override
    public Path folder() {
        return folder;
    }
}
