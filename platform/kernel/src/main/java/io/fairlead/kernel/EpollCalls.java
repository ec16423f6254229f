package io.fairlead.kernel;

import java.lang.foreign.MemorySegment;

/// Waiting for many descriptors at once (epoll(7), eventfd(2)).
///
/// How a failure is reported, and when to take which, is said in [Libc].
final class EpollCalls {
    private EpollCalls() {}

    static int eventfd(String subject, int initial, int flags) {
        return (int) Libc.EVENTFD.check(subject, initial, flags);
    }

    static int epollCreate1(String subject, int flags) {
        return (int) Libc.EPOLL_CREATE1.check(subject, flags);
    }

    static void epollCtl(String subject, int epoll, int operation, int fd, MemorySegment event) {
        Libc.EPOLL_CTL.check(subject, epoll, operation, fd, event.address());
    }

    static int quickEpollCtl(int epoll, int operation, int fd, MemorySegment event) {
        return (int) Libc.EPOLL_CTL.quick(epoll, operation, fd, event.address(), 0, 0);
    }

    static int epollWait(String subject, int epoll, MemorySegment events, int most, int millis) {
        return (int) Libc.EPOLL_WAIT.check(subject, epoll, events.address(), most, millis);
    }

    static int quickEpollWait(int epoll, MemorySegment events, int most, int millis) {
        return (int) Libc.EPOLL_WAIT.quick(epoll, events.address(), most, millis, 0, 0);
    }
}
