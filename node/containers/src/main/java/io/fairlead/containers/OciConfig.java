package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.containers.ContainerSpec.Bind;
import io.fairlead.containers.ContainerSpec.Isolation;
import io.fairlead.containers.ContainerSpec.Limits;
import io.fairlead.containers.ContainerSpec.Privileges;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The `config.json` of a bundle, as the runtime specification of the OCI has it. Pure.
final class OciConfig {
    static final String ROOT = "rootfs";
    private static final long CPU_PERIOD = 100_000;

    /// What in `/proc` and `/sys` tells of the machine, or changes it.
    private static final List<String> MASKED = List.of(
            "/proc/asound",
            "/proc/acpi",
            "/proc/interrupts",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/sys/firmware",
            "/sys/devices/virtual/powercap");

    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    private OciConfig() {}

    static ObjectNode of(ContainerSpec spec) {
        ObjectNode config = Json.object().put("ociVersion", "1.0.2");
        config.set("process", process(spec));
        config.putObject("root").put("path", ROOT).put("readonly", spec.root().readOnly());
        if (!spec.isolation().hostname().isEmpty()) {
            config.put("hostname", spec.isolation().hostname());
        }
        ArrayNode mounts = config.putArray("mounts");
        putKernelMounts(mounts, spec.isolation());
        spec.binds().forEach(bind -> mounts.add(bind(bind)));
        config.set("linux", linux(spec));
        return config;
    }

    private static ObjectNode process(ContainerSpec spec) {
        ObjectNode process = Json.object()
                .put("terminal", spec.streams().tty())
                .put("cwd", spec.program().directory());
        ObjectNode user = process.putObject("user")
                .put("uid", spec.user().id())
                .put("gid", spec.user().group());
        ArrayNode groups = user.putArray("additionalGids");
        spec.user().groups().forEach(groups::add);
        ArrayNode words = process.putArray("args");
        spec.program().words().forEach(words::add);
        ArrayNode environment = process.putArray("env");
        spec.program().environment().forEach((name, value) -> environment.add(name + "=" + value));
        Privileges privileges = spec.isolation().privileges();
        process.put("noNewPrivileges", privileges.noNewPrivileges());
        process.put("oomScoreAdj", spec.limits().oomScore());
        process.set("capabilities", capabilities(privileges, spec.user().id() == 0));
        return process;
    }

    /// A user who is not root holds none: what it may do by a file's capabilities is the bounding set.
    private static ObjectNode capabilities(Privileges privileges, boolean root) {
        ObjectNode capabilities = Json.object();
        for (String set : List.of("bounding", "effective", "permitted")) {
            ArrayNode list = capabilities.putArray(set);
            if (root || set.equals("bounding")) {
                new TreeSet<>(privileges.capabilities()).forEach(name -> list.add("CAP_" + name));
            }
        }
        return capabilities;
    }

    private static void putKernelMounts(ArrayNode mounts, Isolation isolation) {
        boolean privileged = isolation.privileges().privileged();
        mounts.add(mount("/proc", "proc", "proc", "nosuid", "noexec", "nodev"));
        if (privileged) {
            mounts.add(mount("/dev", "bind", "/dev", "rbind", "rslave"));
        } else {
            mounts.add(mount("/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k"));
            mounts.add(mount(
                    "/dev/pts",
                    "devpts",
                    "devpts",
                    "nosuid",
                    "noexec",
                    "newinstance",
                    "ptmxmode=0666",
                    "mode=0620",
                    "gid=5"));
            mounts.add(mount("/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777", "size=65536k"));
            mounts.add(mount("/dev/mqueue", "mqueue", "mqueue", "nosuid", "noexec", "nodev"));
        }
        String access = privileged ? "rw" : "ro";
        mounts.add(mount("/sys", "sysfs", "sysfs", "nosuid", "noexec", "nodev", access));
        mounts.add(mount("/sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev", "relatime", access));
    }

    private static ObjectNode bind(Bind bind) {
        return mount(
                bind.target().toString(),
                "bind",
                bind.source().toString(),
                "rbind",
                "rprivate",
                "nodev",
                bind.readOnly() ? "ro" : "rw");
    }

    private static ObjectNode mount(String target, String type, String source, String... options) {
        ObjectNode mount =
                Json.object().put("destination", target).put("type", type).put("source", source);
        ArrayNode list = mount.putArray("options");
        List.of(options).forEach(list::add);
        return mount;
    }

    private static ObjectNode linux(ContainerSpec spec) {
        Privileges privileges = spec.isolation().privileges();
        ObjectNode linux = Json.object().put("cgroupsPath", spec.limits().cgroup());
        linux.set("resources", resources(spec.limits(), privileges.privileged()));
        ArrayNode namespaces = linux.putArray("namespaces");
        new TreeMap<>(spec.isolation().namespaces()).forEach((type, path) -> {
            ObjectNode namespace = namespaces.addObject().put("type", type);
            if (!path.isEmpty()) {
                namespace.put("path", path);
            }
        });
        ObjectNode sysctls = linux.putObject("sysctl");
        new TreeMap<>(spec.isolation().sysctls()).forEach(sysctls::put);
        ArrayNode masked = linux.putArray("maskedPaths");
        ArrayNode readOnly = linux.putArray("readonlyPaths");
        if (privileges.maskedPaths()) {
            MASKED.forEach(masked::add);
            READ_ONLY.forEach(readOnly::add);
        }
        if (privileges.seccomp()) {
            linux.set("seccomp", SeccompProfile.standard().config(privileges.capabilities()));
        }
        return linux;
    }

    private static ObjectNode resources(Limits limits, boolean allDevices) {
        ObjectNode resources = Json.object();
        resources.putArray("devices").addObject().put("allow", allDevices).put("access", "rwm");
        ObjectNode cpu = resources.putObject("cpu");
        if (limits.cpuShares() > 0) {
            cpu.put("shares", limits.cpuShares());
        }
        if (limits.cpuMillis() > 0) {
            cpu.put("period", CPU_PERIOD).put("quota", Math.max(1000, limits.cpuMillis() * CPU_PERIOD / 1000));
        }
        if (limits.memoryBytes() > 0) {
            resources.putObject("memory").put("limit", limits.memoryBytes());
        }
        if (limits.pids() > 0) {
            resources.putObject("pids").put("limit", limits.pids());
        }
        return resources;
    }
}
