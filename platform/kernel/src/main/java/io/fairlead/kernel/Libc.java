package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The C functions this program calls, under their C names.
///
/// All are called in one shape, six whole numbers, and one comes back: for each further shape the JVM writes classes,
/// and a program that starts waits for that. A function takes its numbers and addresses from registers, as many of
/// them as it has parameters, on every processor we run on; what is in the others it does not see. So no call here
/// may pass a floating-point number, a struct or a seventh argument.
///
/// An address is only a number here: the caller keeps its arena open until the call is back. The rest of this room
/// calls through typed methods, one file for each concept of the kernel ([SocketCalls], [FileCalls] and their
/// siblings). A method with the plain name of its function throws [KernelException] about its subject; `try…` gives a
/// failure as the negative [Errno]; `quick…` does so too, and leaves no garbage.
enum Libc {
    CLOSE,

    SOCKET,
    BIND,
    GETSOCKNAME,
    SETSOCKOPT,
    GETSOCKOPT,
    SENDTO(Result.LONG),
    RECV(Result.LONG),
    SEND(Result.LONG),
    LISTEN,
    ACCEPT4,
    CONNECT,
    SHUTDOWN,
    SENDMSG(Result.LONG),
    RECVMSG(Result.LONG),
    SENDMMSG,
    RECVMMSG,

    PIPE2,
    SPLICE(Result.LONG),
    READ(Result.LONG),
    WRITE(Result.LONG),
    EVENTFD,

    OPEN,
    MEMFD_CREATE,
    PWRITE(Result.LONG),
    PREAD(Result.LONG),
    LSEEK(Result.LONG),
    FALLOCATE,
    MADVISE,

    SETNS,
    UNSHARE,
    MOUNT,
    UMOUNT2,
    MKDIRAT,
    FLOCK,

    POSIX_SPAWNP(Result.ERROR),
    POSIX_SPAWN_FILE_ACTIONS_INIT(Result.ERROR),
    POSIX_SPAWN_FILE_ACTIONS_ADDDUP2(Result.ERROR),
    POSIX_SPAWN_FILE_ACTIONS_DESTROY(Result.ERROR),
    WAITPID,
    /// For what the C library has no function of its own for, or not in every version.
    SYSCALL(Result.LONG),

    EPOLL_CREATE1,
    EPOLL_CTL,
    EPOLL_WAIT;

    private static final int PARAMETERS = 6;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle CALL = Linker.nativeLinker()
            .downcallHandle(
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    Linker.Option.captureCallState("errno"));

    private static final ThreadLocal<MemorySegment> STATE_OF_THREAD =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    // Found at the first call: not every C library has all of them.
    private static final Map<Libc, MemorySegment> ADDRESSES = new ConcurrentHashMap<>();

    private final Result result;

    Libc() {
        this(Result.INT);
    }

    Libc(Result result) {
        this.result = result;
    }

    /// What a function gives back: a number whose upper half is not set, a whole one, or an error where others set
    /// errno.
    private enum Result {
        INT,
        LONG,
        ERROR
    }

    /// Makes the call again while a signal interrupts it; what fails is a [KernelException] about `subject`.
    long check(String subject, long... arguments) {
        long given = attempt(arguments);
        if (given < 0) {
            throw new KernelException(toString(), (int) -given, subject);
        }
        return given;
    }

    /// Like [#check], but a failure is the negative errno: for calls that fail as often as not.
    long attempt(long... arguments) {
        long[] all = Arrays.copyOf(arguments, PARAMETERS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            while (true) {
                long given = invoke(state, all);
                if (result == Result.ERROR) {
                    return -(int) given;
                }
                long number = result == Result.INT ? (int) given : given;
                if (number >= 0) {
                    return number;
                }
                int errno = (int) ERRNO.get(state, 0L);
                if (errno != Errno.EINTR) {
                    return -errno;
                }
            }
        }
    }

    /// Like [#attempt], but it leaves no garbage: for calls that are made many thousand times a second by the few
    /// platform threads that do nothing else.
    long quick(long first, long second, long third, long fourth, long fifth, long sixth) {
        MemorySegment state = STATE_OF_THREAD.get();
        while (true) {
            long given = invoke(state, first, second, third, fourth, fifth, sixth);
            long number = result == Result.INT ? (int) given : given;
            if (number >= 0) {
                return number;
            }
            int errno = (int) ERRNO.get(state, 0L);
            if (errno != Errno.EINTR) {
                return -errno;
            }
        }
    }

    private long invoke(MemorySegment state, long[] all) {
        return invoke(state, all[0], all[1], all[2], all[3], all[4], all[5]);
    }

    private long invoke(MemorySegment state, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(address(), state, a, b, c, d, e, f);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new IllegalStateException("a native call threw", thrown);
        }
    }

    private MemorySegment address() {
        MemorySegment known = ADDRESSES.get(this);
        return known != null ? known : ADDRESSES.computeIfAbsent(this, Libc::find);
    }

    private static MemorySegment find(Libc function) {
        return Linker.nativeLinker()
                .defaultLookup()
                .find(function.toString())
                .orElseThrow(() -> new IllegalStateException("this C library has no " + function));
    }

    /// Its C name.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
