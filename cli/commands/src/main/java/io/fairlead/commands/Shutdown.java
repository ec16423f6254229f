package io.fairlead.commands;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ends a program in good order: SIGTERM and Ctrl-C interrupt it, and the JVM waits until it has closed everything.
final class Shutdown {
    private static final long PATIENCE_SECONDS = 60;

    private Shutdown() {}

    /// A program that runs until its thread is interrupted, and closes what it opened.
    interface Program {
        void run() throws InterruptedException;
    }

    /// Runs the program on this thread.
    static void interrupts(Program program) {
        Thread runner = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> interrupt(runner, ended), "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            program.run();
        } catch (InterruptedException e) {
            runner.interrupt(); // it was asked to end, and has: nothing is left to do on this thread
        } finally {
            ended.countDown();
        }
    }

    private static void interrupt(Thread runner, CountDownLatch ended) {
        runner.interrupt();
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("gave up waiting for the program to end after %d s".formatted(PATIENCE_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
