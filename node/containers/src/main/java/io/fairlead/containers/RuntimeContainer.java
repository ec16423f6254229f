package io.fairlead.containers;

import java.util.List;

/// One container that a [ContainerRuntime] has.
public interface RuntimeContainer {
    /// Lets its program begin; nothing happens to one that began.
    void start() throws InterruptedException;

    Processes processes();

    /// `keeper` ends when the container has ended, and not before its end is known. `program` is the number of
    /// the first process inside, as the node sees it.
    record Processes(ProcessId keeper, long program) {}

    /// How it ended; `Ending.UNKNOWN` where the runtime cannot tell any more. Only asked after its keeper has ended.
    Ending ending();

    /// Sends a signal, by its name without SIG; nothing happens to one that has ended.
    void signal(String signal) throws InterruptedException;

    /// The command line, to be run on the node, of another program inside. It speaks frames, see `keeper.pl`,
    /// and its exit code is the program's.
    List<String> enter(List<String> command, boolean tty);
}
