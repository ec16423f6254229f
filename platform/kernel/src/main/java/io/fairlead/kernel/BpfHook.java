package io.fairlead.kernel;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A place where the kernel runs a program for the sockets of a control group, with the kernel's numbers for it.
public enum BpfHook {
    CONNECT4("cgroup/connect4", 18, 10),
    CONNECT6("cgroup/connect6", 18, 11),
    POST_BIND4("cgroup/post_bind4", 9, 12),
    POST_BIND6("cgroup/post_bind6", 9, 13),
    SENDMSG4("cgroup/sendmsg4", 18, 14),
    SENDMSG6("cgroup/sendmsg6", 18, 15),
    RECVMSG4("cgroup/recvmsg4", 18, 19),
    RECVMSG6("cgroup/recvmsg6", 18, 20),
    GETPEERNAME4("cgroup/getpeername4", 18, 29),
    GETPEERNAME6("cgroup/getpeername6", 18, 30),
    SOCK_RELEASE("cgroup/sock_release", 9, 34),
    SOCK_OPS("sockops", 13, 3);

    private final String section;
    private final int programType;
    private final int attachType;

    BpfHook(String section, int programType, int attachType) {
        this.section = section;
        this.programType = programType;
        this.attachType = attachType;
    }

    /// The hook that the programs of a section of an object are for.
    public static Optional<BpfHook> find(String section) {
        return Arrays.stream(values())
                .filter(hook -> hook.section.equals(section))
                .findFirst();
    }

    int programType() {
        return programType;
    }

    int attachType() {
        return attachType;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
