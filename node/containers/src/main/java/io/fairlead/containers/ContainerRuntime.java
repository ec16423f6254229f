package io.fairlead.containers;

import java.util.List;
import java.util.Optional;

/// The door to what really runs containers; everything else here only decides what it is to run.
///
/// A container is prepared first and started apart, so that what surrounds it can be completed in between. All
/// calls block, and any thread may make them; for one container they come one after the other. Containers
/// outlive the process that asked for them: the next one finds them again. A [NodeException] says what a
/// runtime could not do.
public interface ContainerRuntime {
    /// Makes a container whose program waits to be started.
    RuntimeContainer prepare(ContainerSpec spec) throws InterruptedException;

    /// A container that was prepared, by this process or one before it, dead or alive, and not removed since.
    Optional<RuntimeContainer> find(ContainerId id);

    /// All containers of one pod that were not removed.
    List<ContainerId> list(String sandbox);

    /// Kills what still runs and takes away all that was made for it; nothing happens where there is no such
    /// container.
    void remove(ContainerId id) throws InterruptedException;
}
