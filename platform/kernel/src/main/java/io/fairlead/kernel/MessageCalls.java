package io.fairlead.kernel;

import java.lang.foreign.MemorySegment;

/// Messages with addresses and control data, one or many a call (sendmsg(2), recvmmsg(2)).
///
/// How a failure is reported, and when to take which, is said in [Libc].
final class MessageCalls {
    private MessageCalls() {}

    static void sendmsg(String subject, int fd, MemorySegment message, int flags) {
        Libc.SENDMSG.check(subject, fd, message.address(), flags);
    }

    static void recvmsg(String subject, int fd, MemorySegment message, int flags) {
        Libc.RECVMSG.check(subject, fd, message.address(), flags);
    }

    static int trySendmmsg(int fd, MemorySegment messages, long from, int count, int flags) {
        return (int) Libc.SENDMMSG.attempt(fd, messages.address() + from, count, flags);
    }

    static int quickSendmmsg(int fd, MemorySegment messages, int count, int flags) {
        return (int) Libc.SENDMMSG.quick(fd, messages.address(), count, flags, 0, 0);
    }

    static int tryRecvmmsg(int fd, MemorySegment messages, int count, int flags) {
        return (int) Libc.RECVMMSG.attempt(fd, messages.address(), count, flags);
    }

    static int quickRecvmmsg(int fd, MemorySegment messages, int count, int flags) {
        return (int) Libc.RECVMMSG.quick(fd, messages.address(), count, flags, 0, 0);
    }
}
