package io.fairlead.containers;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// The capabilities of a container, by their names without CAP_. Pure.
final class Capabilities {
    /// What a container has that says nothing: as with every other runtime of Kubernetes.
    static final Set<String> STANDARD = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "NET_RAW",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    static final Set<String> ALL = all();

    private Capabilities() {}

    private static Set<String> all() {
        Set<String> all = new TreeSet<>(STANDARD);
        all.addAll(List.of(
                "AUDIT_CONTROL",
                "AUDIT_READ",
                "BLOCK_SUSPEND",
                "BPF",
                "CHECKPOINT_RESTORE",
                "DAC_READ_SEARCH",
                "IPC_LOCK",
                "IPC_OWNER",
                "LEASE",
                "LINUX_IMMUTABLE",
                "MAC_ADMIN",
                "MAC_OVERRIDE",
                "NET_ADMIN",
                "NET_BROADCAST",
                "PERFMON",
                "SYSLOG",
                "SYS_ADMIN",
                "SYS_BOOT",
                "SYS_MODULE",
                "SYS_NICE",
                "SYS_PACCT",
                "SYS_PTRACE",
                "SYS_RAWIO",
                "SYS_RESOURCE",
                "SYS_TIME",
                "SYS_TTY_CONFIG",
                "WAKE_ALARM"));
        return Set.copyOf(all);
    }

    /// The standard ones, with those added and without those dropped; `ALL` stands for all of them.
    static Set<String> of(List<String> added, List<String> dropped) {
        Set<String> result = new TreeSet<>(STANDARD);
        if (contains(added, "ALL")) {
            result.addAll(ALL);
        }
        if (contains(dropped, "ALL")) {
            result.clear();
        }
        added.stream()
                .map(Capabilities::plain)
                .filter(name -> !name.equals("ALL"))
                .forEach(name -> {
                    if (!ALL.contains(name)) {
                        throw new NodeException("securityContext.capabilities.add: there is no capability " + name);
                    }
                    result.add(name);
                });
        dropped.stream().map(Capabilities::plain).forEach(result::remove);
        return result;
    }

    private static boolean contains(List<String> names, String name) {
        return names.stream().map(Capabilities::plain).anyMatch(name::equals);
    }

    private static String plain(String name) {
        return name.toUpperCase(Locale.ROOT).replaceFirst("^CAP_", "");
    }
}
