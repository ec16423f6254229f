package io.fairlead.kernel;

import java.lang.foreign.MemorySegment;

/// Child processes (posix_spawn(3), waitpid(2), pidfd_open(2)).
///
/// How a failure is reported, and when to take which, is said in [Libc].
final class ProcessCalls {
    private static final long PIDFD_OPEN = 434;

    private ProcessCalls() {}

    static void posixSpawnp(
            String subject,
            MemorySegment pid,
            MemorySegment file,
            MemorySegment actions,
            MemorySegment arguments,
            MemorySegment environment) {
        Libc.POSIX_SPAWNP.check(
                subject,
                pid.address(),
                file.address(),
                actions.address(),
                0,
                arguments.address(),
                environment.address());
    }

    static void fileActionsInit(String subject, MemorySegment actions) {
        Libc.POSIX_SPAWN_FILE_ACTIONS_INIT.check(subject, actions.address());
    }

    static void fileActionsAdddup2(String subject, MemorySegment actions, int from, int to) {
        Libc.POSIX_SPAWN_FILE_ACTIONS_ADDDUP2.check(subject, actions.address(), from, to);
    }

    static void fileActionsDestroy(String subject, MemorySegment actions) {
        Libc.POSIX_SPAWN_FILE_ACTIONS_DESTROY.check(subject, actions.address());
    }

    static int waitpid(String subject, int pid, MemorySegment status, int options) {
        return (int) Libc.WAITPID.check(subject, pid, status.address(), options);
    }

    static int pidfdOpen(String subject, int pid) {
        return (int) Libc.SYSCALL.check(subject, PIDFD_OPEN, pid);
    }
}
