package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Waits for many descriptors at once (epoll(7)): one thread waits, and any thread may wake it.
public final class Epoll implements AutoCloseable {
    public static final int IN = 1;
    public static final int OUT = 4;
    public static final int ERROR = 8;
    public static final int HANG_UP = 0x10;
    /// The other side sends no more.
    public static final int READ_HANG_UP = 0x2000;
    /// Where several threads wait for one descriptor, one of them is woken.
    public static final int EXCLUSIVE = 1 << 28;
    /// Only what is new counts.
    public static final int EDGE = 1 << 31;

    /// The token of a wake.
    public static final long WAKE = -1;

    private static final int CLOEXEC = 0x80000;
    private static final int NONBLOCK = 0x800;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int MOST_EVENTS = 256;
    /// struct epoll_event is packed on x86 alone.
    private static final boolean PACKED = !System.getProperty("os.arch").equals("aarch64");
    private static final long EVENT_SIZE = PACKED ? 12 : 16;
    private static final long TOKEN_OFFSET = PACKED ? 4 : 8;
    private static final ValueLayout.OfInt EVENTS = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong TOKEN = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment events = arena.allocate(EVENT_SIZE * MOST_EVENTS, 8);
    private final MemorySegment one = arena.allocate(EVENT_SIZE, 8);
    private final MemorySegment number = arena.allocate(ValueLayout.JAVA_LONG);
    private final int epoll;
    private final int waker;

    public Epoll() {
        epoll = EpollCalls.epollCreate1("epoll", CLOEXEC);
        waker = EpollCalls.eventfd("epoll", 0, CLOEXEC | NONBLOCK);
        number.set(ValueLayout.JAVA_LONG, 0, 1);
        add(waker, IN | EDGE, WAKE);
    }

    /// Tells `events` of a descriptor from now on, with `token`. A descriptor that is closed leaves by itself.
    public void add(int descriptor, int events, long token) {
        one.set(EVENTS, 0, events);
        one.set(TOKEN, TOKEN_OFFSET, token);
        long given = EpollCalls.quickEpollCtl(epoll, ADD, descriptor, one);
        if (given < 0) {
            throw new KernelException("epoll_ctl", (int) -given, "add " + descriptor);
        }
    }

    public void remove(int descriptor) {
        EpollCalls.quickEpollCtl(epoll, REMOVE, descriptor, one);
    }

    /// How many descriptors have something to tell, after `millis` at the latest; -1 waits for ever.
    public int await(int millis) {
        long given = EpollCalls.quickEpollWait(epoll, events, MOST_EVENTS, millis);
        if (given < 0) {
            throw new KernelException("epoll_wait", (int) -given, "events");
        }
        return (int) given;
    }

    /// What the last [#await] tells of the descriptor in this place.
    public int events(int place) {
        return events.get(EVENTS, place * EVENT_SIZE);
    }

    public long token(int place) {
        return events.get(TOKEN, place * EVENT_SIZE + TOKEN_OFFSET);
    }

    /// Makes [#await] come back with the token [#WAKE]; for other threads.
    public void wake() {
        FileCalls.tryWrite(waker, number, Long.BYTES);
    }

    @Override
    public void close() {
        FileCalls.close("epoll", waker);
        FileCalls.close("epoll", epoll);
        arena.close();
    }
}
