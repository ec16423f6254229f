package io.fairlead.kernel;

import java.lang.foreign.MemorySegment;

/// Sockets (socket(2) and its siblings), under their C names.
///
/// How a failure is reported, and when to take which, is said in [Libc].
final class SocketCalls {
    private SocketCalls() {}

    static int socket(String subject, int family, int type, int protocol) {
        return (int) Libc.SOCKET.check(subject, family, type, protocol);
    }

    static int quickSocket(int family, int type, int protocol) {
        return (int) Libc.SOCKET.quick(family, type, protocol, 0, 0, 0);
    }

    static void bind(String subject, int fd, MemorySegment address, long length) {
        Libc.BIND.check(subject, fd, address.address(), length);
    }

    static void getsockname(String subject, int fd, MemorySegment address, MemorySegment length) {
        Libc.GETSOCKNAME.check(subject, fd, address.address(), length.address());
    }

    static void setsockopt(String subject, int fd, int level, int option, MemorySegment value, long length) {
        Libc.SETSOCKOPT.check(subject, fd, level, option, value.address(), length);
    }

    static int quickSetsockopt(int fd, int level, int option, MemorySegment value, long length) {
        return (int) Libc.SETSOCKOPT.quick(fd, level, option, value.address(), length, 0);
    }

    static void getsockopt(String subject, int fd, int level, int option, MemorySegment value, MemorySegment length) {
        Libc.GETSOCKOPT.check(subject, fd, level, option, value.address(), length.address());
    }

    static int quickGetsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length) {
        return (int) Libc.GETSOCKOPT.quick(fd, level, option, value.address(), length.address(), 0);
    }

    static void sendto(
            String subject,
            int fd,
            MemorySegment bytes,
            long length,
            int flags,
            MemorySegment address,
            int addressLength) {
        Libc.SENDTO.check(subject, fd, bytes.address(), length, flags, address.address(), addressLength);
    }

    static int recv(String subject, int fd, MemorySegment buffer, long length, int flags) {
        return (int) Libc.RECV.check(subject, fd, buffer.address(), length, flags);
    }

    static int tryRecv(int fd, MemorySegment buffer, long length, int flags) {
        return (int) Libc.RECV.attempt(fd, buffer.address(), length, flags);
    }

    static int quickRecv(int fd, MemorySegment buffer, long length, int flags) {
        return (int) Libc.RECV.quick(fd, buffer.address(), length, flags, 0, 0);
    }

    static int trySend(int fd, MemorySegment bytes, long length, int flags) {
        return (int) Libc.SEND.attempt(fd, bytes.address(), length, flags);
    }

    static int quickSend(int fd, MemorySegment bytes, long from, long length, int flags) {
        return (int) Libc.SEND.quick(fd, bytes.address() + from, length, flags, 0, 0);
    }

    static void listen(String subject, int fd, int backlog) {
        Libc.LISTEN.check(subject, fd, backlog);
    }

    static int tryAccept4(int fd, MemorySegment address, MemorySegment length, int flags) {
        return (int) Libc.ACCEPT4.attempt(fd, address.address(), length.address(), flags);
    }

    static int quickAccept4(int fd, MemorySegment address, MemorySegment length, int flags) {
        return (int) Libc.ACCEPT4.quick(fd, address.address(), length.address(), flags, 0, 0);
    }

    static void connect(String subject, int fd, MemorySegment address, long length) {
        Libc.CONNECT.check(subject, fd, address.address(), length);
    }

    static int tryConnect(int fd, MemorySegment address, long length) {
        return (int) Libc.CONNECT.attempt(fd, address.address(), length);
    }

    static int quickConnect(int fd, MemorySegment address, long length) {
        return (int) Libc.CONNECT.quick(fd, address.address(), length, 0, 0, 0);
    }

    static int quickShutdown(int fd, int how) {
        return (int) Libc.SHUTDOWN.quick(fd, how, 0, 0, 0, 0);
    }
}
