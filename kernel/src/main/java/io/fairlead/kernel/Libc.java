package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The C functions this program calls, one handle each, under their C names.
///
/// To make a handle takes milliseconds, so they are in groups, and a program makes only those of the groups it uses.
///
/// Each takes a first argument for errno, filled by the linker at the call itself. [#check] makes a
/// [KernelException] of a result below zero.
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO_OPTION = Linker.Option.captureCallState("errno");
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    /// Linked by everything that speaks to the kernel.
    static final class Sockets {
        static final MethodHandle SOCKET =
                function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle BIND = function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle GETSOCKNAME =
                function("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle SETSOCKOPT = function(
                "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle GETSOCKOPT =
                function("getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle SENDTO = function(
                "sendto", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle RECV =
                function("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

        private Sockets() {}
    }

    /// Files, in memory and on disks.
    static final class Files {
        static final MethodHandle OPEN = function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle MEMFD_CREATE =
                function("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle PWRITE =
                function("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        static final MethodHandle PREAD =
                function("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        static final MethodHandle LSEEK =
                function("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle FALLOCATE =
                function("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle MADVISE =
                function("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

        private Files() {}
    }

    /// What a thread or process sees of the machine.
    static final class Namespaces {
        static final MethodHandle SETNS = function("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle UNSHARE = function("unshare", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle MOUNT =
                function("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        static final MethodHandle UMOUNT2 = function("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle SETHOSTNAME =
                function("sethostname", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle CHDIR = function("chdir", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle GETTID = function("gettid", FunctionDescriptor.of(JAVA_INT));

        private Namespaces() {}
    }

    /// Processes, from their start to their end.
    static final class Processes {
        static final MethodHandle KILL = function("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle POSIX_SPAWNP = function(
                "posix_spawnp", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_INIT =
                function("posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDDUP2 = function(
                "posix_spawn_file_actions_adddup2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_DESTROY =
                function("posix_spawn_file_actions_destroy", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR =
                function("posix_spawn_file_actions_addchdir_np", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM = function(
                "posix_spawn_file_actions_addclosefrom_np", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle POSIX_SPAWNATTR_INIT =
                function("posix_spawnattr_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle POSIX_SPAWNATTR_SETFLAGS =
                function("posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_SHORT));
        static final MethodHandle WAITPID =
                function("waitpid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
        /// For what the C library has no function of its own for, or not in every version: three numbers at most.
        static final MethodHandle SYSCALL =
                function("syscall", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle EPOLL_CREATE1 = function("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle EPOLL_CTL =
                function("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle EPOLL_WAIT =
                function("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

        private Processes() {}
    }

    private Libc() {}

    /// A call of one C function with a place for errno.
    interface Call {
        Object on(MemorySegment errno) throws Throwable;
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        MemorySegment address = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new IllegalStateException("this C library has no " + name));
        return LINKER.downcallHandle(address, descriptor, ERRNO_OPTION);
    }

    /// Makes the call again while a signal interrupts it; a result below zero is a [KernelException].
    static long check(String call, String subject, Call body) {
        long result = attempt(body);
        if (result < 0) {
            throw new KernelException(call, (int) -result, subject);
        }
        return result;
    }

    /// Like [#check], but a failure is the negative errno: for calls that fail as often as not.
    static long attempt(Call body) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            while (true) {
                long result = ((Number) invoke(body, state)).longValue();
                if (result >= 0) {
                    return result;
                }
                int errno = (int) ERRNO.get(state, 0L);
                if (errno != Errno.EINTR) {
                    return -errno;
                }
            }
        }
    }

    private static Object invoke(Call body, MemorySegment state) {
        try {
            return body.on(state);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw", e);
        }
    }
}
