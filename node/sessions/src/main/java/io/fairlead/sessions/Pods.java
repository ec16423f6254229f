package io.fairlead.sessions;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What this node knows of its pods.
public interface Pods {
    Optional<Pod> find(NamespacedName name);

    /// A pod that is on this node. `namespace` names its network namespace; it is empty for a pod on the node's own
    /// network.
    record Pod(NamespacedName name, String namespace, List<Ip> addresses, List<Container> containers) {
        Optional<Container> find(String container) {
            return containers.stream().filter(c -> c.name().equals(container)).findFirst();
        }
    }

    /// One container. `terminal` is the socket where its keeper listens for those who attach, where it has one; a log
    /// that was never written is a file that is not there.
    record Container(String name, BooleanSupplier running, Entry entry, Logs logs, Optional<Path> terminal) {}

    /// The way into a container that runs.
    interface Entry {
        /// The command line, to be run on this node, of a command inside; it speaks [Terminal]'s frames.
        List<String> words(List<String> command, boolean tty);
    }

    /// Where a container wrote, and where the one before it did.
    record Logs(Path now, Path before) {}
}
