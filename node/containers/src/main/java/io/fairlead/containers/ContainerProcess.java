package io.fairlead.containers;

import io.fairlead.kernel.ProcessEnds;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// A container that runs, or just ended, as the one who looks after it sees it.
///
/// `container` is empty for one that the runtime does not know any more: what it did is then unknown.
public final class ContainerProcess {
    private final ProcessId keeper;
    private final Optional<RuntimeContainer> container;
    private final boolean adopted;
    private final AtomicBoolean ended = new AtomicBoolean();

    private ContainerProcess(ProcessId keeper, Optional<RuntimeContainer> container, boolean adopted) {
        this.keeper = keeper;
        this.container = container;
        this.adopted = adopted;
    }

    /// Watches a container that was just prepared; rings when it ended.
    public static ContainerProcess watch(RuntimeContainer container, ProcessEnds ends, Runnable ring) {
        return new ContainerProcess(container.processes().keeper(), Optional.of(container), false).watched(ends, ring);
    }

    /// Watches a container that an agent before this one started.
    public static ContainerProcess adopt(
            ProcessId keeper, Optional<RuntimeContainer> container, ProcessEnds ends, Runnable ring) {
        return new ContainerProcess(keeper, container, true).watched(ends, ring);
    }

    private ContainerProcess watched(ProcessEnds ends, Runnable ring) {
        if (!keeper.isAlive()) { // its number may be another's by now
            end(ring);
        } else {
            ends.watch((int) keeper.pid(), _ -> end(ring));
        }
        return this;
    }

    private void end(Runnable ring) {
        ended.set(true);
        ring.run();
    }

    public Optional<RuntimeContainer> container() {
        return container;
    }

    public boolean isAdopted() {
        return adopted;
    }

    public boolean isAlive() {
        return !ended.get();
    }

    /// How it ended; only asked of one that did.
    public Ending ending() {
        if (isAlive()) {
            throw new IllegalStateException("container of keeper %s still runs".formatted(keeper));
        }
        return container.map(RuntimeContainer::ending).orElse(Ending.UNKNOWN);
    }
}
