package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Tells the ends of processes, whosever children they are: one thread waits for all of them.
///
/// By pidfd_open(2) and epoll(7). The exit code of a child of this process comes with it, and the child is reaped.
public final class ProcessEnds implements AutoCloseable {
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLLIN = 1;
    private static final int WNOHANG = 1;
    private static final int SIGNALLED = 128;
    private static final int MOST_EVENTS = 64;
    /// How soon the loop sees that it is to end.
    private static final int WAIT_MILLIS = 200;
    /// struct epoll_event is packed on x86 alone.
    private static final boolean PACKED = !System.getProperty("os.arch").equals("aarch64");
    private static final long EVENT_SIZE = PACKED ? 12 : 16;
    private static final long PID_OFFSET = PACKED ? 4 : 8;
    private static final ValueLayout.OfLong PID = ValueLayout.JAVA_LONG_UNALIGNED;

    private final int epoll;
    private final Map<Integer, Waiting> waiting = new ConcurrentHashMap<>(); // by process id

    private record Waiting(int pidfd, Consumer<OptionalInt> end) {}

    public ProcessEnds() {
        epoll = EpollCalls.epollCreate1("process ends", EPOLL_CLOEXEC);
    }

    /// Calls `end` once when the process is dead, with its exit code if it was a child; also if it is dead already.
    /// It is called on the thread that waits for all: it must not block.
    public void watch(int pid, Consumer<OptionalInt> end) {
        int pidfd;
        try {
            pidfd = ProcessCalls.pidfdOpen("pidfd_open " + pid, pid);
        } catch (KernelException e) {
            if (!e.is(Errno.ESRCH)) {
                throw e;
            }
            end.accept(OptionalInt.empty()); // dead and reaped
            return;
        }
        waiting.put(pid, new Waiting(pidfd, end));
        add(pid, pidfd);
    }

    /// Waits for ends, until the thread is interrupted.
    public void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment events = arena.allocate(EVENT_SIZE * MOST_EVENTS, 8);
            while (!Thread.currentThread().isInterrupted()) {
                int count = EpollCalls.epollWait("process ends", epoll, events, MOST_EVENTS, WAIT_MILLIS);
                for (int i = 0; i < count; i++) {
                    ended((int) events.get(PID, i * EVENT_SIZE + PID_OFFSET));
                }
            }
        }
    }

    private void add(int pid, int pidfd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EVENT_SIZE, 8);
            event.set(ValueLayout.JAVA_INT, 0, EPOLLIN);
            event.set(PID, PID_OFFSET, pid);
            EpollCalls.epollCtl(Integer.toString(pid), epoll, EPOLL_CTL_ADD, pidfd, event);
        }
    }

    private void ended(int pid) {
        Waiting one = waiting.remove(pid);
        if (one != null) {
            close(one.pidfd()); // and so it leaves the epoll
            one.end().accept(reap(pid));
        }
    }

    private static OptionalInt reap(int pid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            long reaped = ProcessCalls.waitpid(Integer.toString(pid), pid, status, WNOHANG);
            return reaped == pid ? OptionalInt.of(exitCode(status.get(ValueLayout.JAVA_INT, 0))) : OptionalInt.empty();
        } catch (KernelException e) {
            return OptionalInt.empty(); // ECHILD: the child of another process
        }
    }

    private static int exitCode(int word) {
        int signal = word & 0x7f;
        return signal == 0 ? word >> 8 & 0xff : SIGNALLED + signal;
    }

    /// Call it after [#run] ended.
    @Override
    public void close() {
        waiting.values().forEach(one -> close(one.pidfd()));
        waiting.clear();
        close(epoll);
    }

    private static void close(int fd) {
        FileCalls.close("a process file", fd);
    }
}
