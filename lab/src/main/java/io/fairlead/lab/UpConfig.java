package io.fairlead.lab;

import java.nio.file.Path;
import java.util.List;

/// What `fairlead up` was asked for.
///
/// @param mode how the nodes program the kernel: `nftables`
/// @param dir  where the state, the logs and the kubeconfig are
public record UpConfig(Topology topology, String mode, Path dir, Launcher launcher) {

    /// How this program is started again.
    ///
    /// @param program the words before a command, for the cluster's processes: java, its options, the main class
    /// @param typed   what a user types before a command for this cluster: `./fairlead`
    public record Launcher(List<String> program, String typed) {
        public Launcher {
            program = List.copyOf(program);
        }
    }

    public UpConfig {
        dir = dir.toAbsolutePath().normalize();
    }

    public Path kubeconfig() {
        return dir.resolve("kubeconfig");
    }

    Path logs() {
        return dir.resolve("logs");
    }

    Path upFile() {
        return dir.resolve(UpFile.NAME);
    }
}
