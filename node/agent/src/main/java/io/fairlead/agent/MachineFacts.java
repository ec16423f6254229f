package io.fairlead.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What this machine says of itself.
final class MachineFacts {
    /// As many as a block of 256 addresses has room for.
    private static final int MOST_PODS = 250;

    /// The number of CAP_SYS_RESOURCE.
    private static final int SYS_RESOURCE = 24;

    private static final Logger LOG = LoggerFactory.getLogger(MachineFacts.class);

    private MachineFacts() {}

    /// Under the names of `status.nodeInfo`; `runtime` is what runs containers here. Clients read the version of a
    /// kubelet as that of the Kubernetes whose behaviour a node has.
    static Map<String, String> facts(String runtime) {
        String arch = System.getProperty("os.arch");
        return Map.of(
                "operatingSystem",
                "linux",
                "architecture",
                arch.equals("aarch64") ? "arm64" : arch,
                "kernelVersion",
                System.getProperty("os.version"),
                "osImage",
                found("/etc/os-release", "PRETTY_NAME=").orElse("Linux").replace("\"", ""),
                "containerRuntimeVersion",
                runtime,
                "kubeletVersion",
                "v1.36.0+fairlead",
                "machineID",
                text("/etc/machine-id").strip(),
                "bootID",
                text("/proc/sys/kernel/random/boot_id").strip());
    }

    /// What it has, as quantities under the names of `status.capacity`.
    static SortedMap<String, String> capacity(Path state) {
        SortedMap<String, String> capacity = new TreeMap<>();
        capacity.put("cpu", Integer.toString(Runtime.getRuntime().availableProcessors()));
        capacity.put("pods", Integer.toString(MOST_PODS));
        found("/proc/meminfo", "MemTotal:")
                .ifPresent(memory ->
                        capacity.put("memory", memory.replace("kB", "Ki").replace(" ", "")));
        try {
            capacity.put("ephemeral-storage", Files.getFileStore(state).getTotalSpace() / 1024 + "Ki");
        } catch (IOException e) {
            LOG.warn("event=disk-unknown folder={} reason=\"{}\"", state, e.getMessage());
        }
        return capacity;
    }

    /// How much this process may have others spared when memory runs out: all, or no more than it is itself.
    static int lowestOomScore() {
        boolean free = found("/proc/self/status", "CapEff:")
                .map(mask -> (Long.parseUnsignedLong(mask, 16) >> SYS_RESOURCE & 1) == 1)
                .orElse(false);
        String own = text("/proc/self/oom_score_adj").strip();
        return free || own.isEmpty() ? -1000 : Integer.parseInt(own);
    }

    /// 0 where the machine does not say.
    static long memoryBytes() {
        return found("/proc/meminfo", "MemTotal:")
                .map(memory -> Long.parseLong(memory.replace("kB", "").strip()) * 1024)
                .orElse(0L);
    }

    /// The rest of the first line of a file that starts so.
    private static Optional<String> found(String file, String start) {
        return text(file)
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return ""; // a machine without this file has nothing to say here
        }
    }
}
