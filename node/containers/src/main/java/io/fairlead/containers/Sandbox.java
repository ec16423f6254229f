package io.fairlead.containers;

import io.fairlead.api.Ip;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/// What the containers of one pod share on this node: their names, their addresses and, below `state`,
/// their folder.
public record Sandbox(PodNames names, List<Ip> addresses, Path state) {
    private static final int SHORT = 16;

    public Sandbox {
        addresses = List.copyOf(addresses);
    }

    public ContainerId container(String name, int restarts) {
        return new ContainerId(names.folder(), name, restarts);
    }

    /// Where a container that has an input or a terminal listens for those who attach to it. Its name is short: the
    /// kernel takes 107 bytes for the whole path.
    public Path terminal(String container) {
        byte[] hash = PodNames.digest(names.folder() + "/" + container);
        return state.resolve("sockets").resolve(HexFormat.of().formatHex(hash).substring(0, SHORT));
    }

    /// Where what the API says of its volumes is: in memory.
    public Path memory() {
        return state.resolve("memory").resolve(names.folder());
    }

    /// Where a container leaves its last words.
    public Path lastWords(ContainerId id) {
        return folder().resolve("termination").resolve(id.folder());
    }

    public Path folder() {
        return state.resolve("pods").resolve(names.folder());
    }
}
