package io.fairlead.node;

import java.time.Duration;

/// A container's process.
sealed interface ContainerProcess {
    ProcessId id();

    boolean isAlive();

    /// Waits for its end.
    void await() throws InterruptedException;

    /// How it ended; only asked of one that did.
    Ending ending();

    /// One that this agent started: its end is told by the kernel, with the exit code.
    record Child(Process process, ProcessId id) implements ContainerProcess {
        @Override
        public boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public void await() throws InterruptedException {
            process.waitFor();
        }

        @Override
        public Ending ending() {
            return Ending.of(process.exitValue());
        }
    }

    /// One that an agent before this one started: the kernel tells its end to somebody else.
    record Adopted(ProcessId id) implements ContainerProcess {
        private static final Duration POLL = Duration.ofMillis(250);

        @Override
        public boolean isAlive() {
            return id.isAlive();
        }

        @Override
        public void await() throws InterruptedException {
            while (isAlive()) {
                Thread.sleep(POLL);
            }
        }

        @Override
        public Ending ending() {
            return Ending.UNKNOWN;
        }
    }
}
