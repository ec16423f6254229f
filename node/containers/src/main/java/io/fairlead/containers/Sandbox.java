package io.fairlead.containers;

import io.fairlead.api.Ip;
import java.nio.file.Path;
import java.util.List;

/// What the containers of one pod share on this node: their names, their addresses and their folder.
public record Sandbox(PodNames names, List<Ip> addresses, Path folder) {
    public Sandbox {
        addresses = List.copyOf(addresses);
    }

    /// Where a container that has a terminal listens for those who attach to it.
    public Path terminal(String container) {
        return terminals().resolve(socket(container));
    }

    Path terminals() {
        return folder.resolve("terminals");
    }

    static String socket(String container) {
        return PodNames.safe(container) + ".sock";
    }
}
