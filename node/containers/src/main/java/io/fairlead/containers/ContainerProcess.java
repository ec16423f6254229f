package io.fairlead.containers;

import io.fairlead.kernel.ProcessEnds;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The process of a container that runs, or just ended.
///
/// One that an agent before this one started is no child of ours: the kernel tells us its end, but not its exit code.
public final class ContainerProcess {
    private final ProcessId id;
    private final boolean adopted;
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();

    private ContainerProcess(ProcessId id, boolean adopted) {
        this.id = id;
        this.adopted = adopted;
    }

    /// Watches a process; rings when it ended.
    public static ContainerProcess watch(ProcessId id, boolean adopted, ProcessEnds ends, Runnable ring) {
        ContainerProcess process = new ContainerProcess(id, adopted);
        if (adopted && !id.isAlive()) { // its number may be another's by now
            process.end(OptionalInt.empty(), ring);
        } else {
            ends.watch((int) id.pid(), code -> process.end(code, ring));
        }
        return process;
    }

    private void end(OptionalInt exitCode, Runnable ring) {
        ending.set(exitCode.isPresent() ? Ending.of(exitCode.getAsInt()) : Ending.UNKNOWN);
        ring.run();
    }

    public ProcessId id() {
        return id;
    }

    public boolean isAdopted() {
        return adopted;
    }

    public boolean isAlive() {
        return ending.get() == null;
    }

    /// How it ended; only asked of one that did.
    public Ending ending() {
        Ending known = ending.get();
        if (known == null) {
            throw new IllegalStateException("process %s still runs".formatted(id));
        }
        return known;
    }
}
