package io.fairlead.containers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Everything a runtime has to know to make one container; [OciConfig] says it in the words of the OCI.
public record ContainerSpec(
        ContainerId id,
        Program program,
        User user,
        Root root,
        List<Bind> binds,
        Isolation isolation,
        Limits limits,
        Streams streams) {

    public ContainerSpec {
        binds = List.copyOf(binds);
    }

    /// What runs; `directory` is a path inside.
    public record Program(List<String> words, Map<String, String> environment, String directory) {
        public Program {
            words = List.copyOf(words);
        }
    }

    /// As whom it runs.
    public record User(long id, long group, List<Long> groups) {
        public static final User ROOT = new User(0, 0, List.of());

        public User {
            groups = List.copyOf(groups);
        }
    }

    /// The files at `/`: folders one above the other, the first one on top, none of which is ever written to.
    public record Root(List<Path> layers, boolean readOnly) {
        public Root {
            layers = List.copyOf(layers);
        }
    }

    /// A file or folder of the node at a place inside.
    public record Bind(Path source, Path target, boolean readOnly) {}

    /// What separates it from others: `namespaces` of its own, by type and the file of one to join (empty: a new one);
    /// a type that is missing is the node's. `hostname` is empty where it has no name of its own.
    public record Isolation(
            Map<String, String> namespaces, String hostname, Map<String, String> sysctls, Privileges privileges) {
        public Isolation {
            namespaces = Map.copyOf(namespaces);
            sysctls = Map.copyOf(sysctls);
        }
    }

    /// What it may do.
    public record Privileges(
            boolean privileged,
            Set<String> capabilities,
            boolean noNewPrivileges,
            boolean seccomp,
            boolean maskedPaths) {
        public Privileges {
            capabilities = Set.copyOf(capabilities);
        }
    }

    /// How much it may use; 0 is no limit. `cgroup` is its path below the root of the cgroup file systems.
    public record Limits(String cgroup, long cpuShares, long cpuMillis, long memoryBytes, long pids, int oomScore) {}

    /// Where what it prints goes. Clients attach at `socket` where it has an input or a terminal.
    public record Streams(Path output, Path errors, boolean stdin, boolean once, boolean tty, Path socket) {
        public boolean canBeAttached() {
            return stdin || tty;
        }
    }
}
