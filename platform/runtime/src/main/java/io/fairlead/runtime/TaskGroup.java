package io.fairlead.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The owner of threads: nothing else starts one. Closing it interrupts them all and waits for them.
///
/// A task that was started by `run` and fails ends the group: [#await] then throws, and the program goes down with a
/// reason. One that is kept begins again after a pause, and one that runs alone ends by itself; [#faults] tells of
/// both.
public final class TaskGroup implements AutoCloseable {
    /// What a task does until it is interrupted.
    public interface Task {
        void run() throws Exception;
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final String name;
    private final TaskFaults faults;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;

    public TaskGroup(String name) {
        this.name = name;
        this.faults = new TaskFaults(System::nanoTime, Optional.empty());
    }

    /// A group within a program: its faults count as those of `program`, too.
    public TaskGroup(String name, TaskGroup program) {
        this.name = name;
        this.faults = new TaskFaults(System::nanoTime, Optional.of(program.faults));
    }

    /// What went wrong in tasks that were kept or ran alone.
    public TaskFaults faults() {
        return faults;
    }

    /// Runs a task on a virtual thread: for all that blocks in Java.
    public void run(String task, Task body) {
        start(Thread.ofVirtual(), task, body);
    }

    /// Runs a task for one connection, one pod or the like on a virtual thread: its failure is logged with its
    /// cause and counted, and ends nothing but itself. Only lack of memory ends the group like any other.
    public void runAlone(String task, Task body) {
        run(task, () -> {
            Optional<Throwable> fault = attempt(body);
            fault.ifPresent(cause -> faults.ended(name, task, cause));
        });
    }

    /// Runs a task on a virtual thread that begins again when it fails, after a pause that grows. What it holds it
    /// must give back when it fails, and it must be able to begin from what is there.
    public void keep(String task, Task body) {
        run(task, kept(task, body));
    }

    /// Like [#keep], but on a thread of its own.
    public void keepOnPlatformThread(String task, Task body) {
        runOnPlatformThread(task, kept(task, body));
    }

    private Task kept(String task, Task body) {
        return () -> {
            Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
            while (true) {
                long begin = System.nanoTime();
                Optional<Throwable> fault = attempt(body);
                if (fault.isEmpty()) {
                    return;
                }
                if (System.nanoTime() - begin > LONGEST_PAUSE.toNanos()) {
                    backoff.reset();
                }
                Duration pause = backoff.next();
                faults.pausing(name, task, fault.get(), pause);
                Thread.sleep(pause);
            }
        };
    }

    /// What the body failed with; an interrupt, lack of memory, and what it throws because of the close go on up.
    private Optional<Throwable> attempt(Task body) throws Exception {
        try {
            body.run();
            return Optional.empty();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
            if (closed) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /// Runs a task on a thread of its own: for native calls that block, for work inside a network namespace,
    /// and for the few that hand every change on, who are woken sooner and for less.
    public void runOnPlatformThread(String task, Task body) {
        start(Thread.ofPlatform().daemon(), task, body);
    }

    private void start(Thread.Builder builder, String task, Task body) {
        Thread thread = builder.name(name + "/" + task).unstarted(() -> guard(task, body));
        synchronized (threads) {
            threads.removeIf(t -> t.getState() == Thread.State.TERMINATED);
            threads.add(thread);
            thread.start();
            if (closed) {
                thread.interrupt(); // too late to be of use, but it may hold something that it must give back
            }
        }
    }

    private void guard(String task, Task body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failed(task, e);
        }
    }

    // What a task throws when it is interrupted in the middle of some I/O says nothing new.
    private void failed(String task, Throwable e) {
        if (closed) {
            log().debug("task={}/{} ended by the close", name, task, e);
            return;
        }
        log().error("task={}/{} failed", name, task, e);
        failure.compareAndSet(null, e);
        ended.countDown();
    }

    /// Waits until a task fails, and throws its failure; or until the group is closed.
    public void await() throws InterruptedException {
        ended.await();
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a task of %s failed".formatted(name), cause);
        }
    }

    /// Waits until every task has come to its own end.
    public void join() throws InterruptedException {
        for (Optional<Thread> other = another(); other.isPresent(); other = another()) {
            other.get().join();
        }
    }

    @Override
    public void close() {
        interruptAll();
        boolean interrupted = false;
        for (Optional<Thread> other = another(); other.isPresent(); other = another()) {
            try {
                other.get().join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // Once only: a second interrupt would hit a task that is giving back what it holds.
    private void interruptAll() {
        synchronized (threads) {
            if (!closed) {
                closed = true;
                ended.countDown();
                threads.forEach(Thread::interrupt);
            }
        }
    }

    private Optional<Thread> another() {
        synchronized (threads) {
            return threads.stream()
                    .filter(thread -> thread.isAlive() && !thread.equals(Thread.currentThread()))
                    .findFirst();
        }
    }

    /// Asked for when there is something to log: to make the first logger of a program takes a while, and its
    /// first tasks should not wait for it.
    private static Logger log() {
        return LoggerFactory.getLogger(TaskGroup.class);
    }
}
