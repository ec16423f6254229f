package io.fairlead.agent;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.containers.RuntimeContainer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// A pod of this node, for those who want to reach into it.
///
/// `namespace` is the name of its network namespace; empty for one on the node's own network.
public record PodView(NamespacedName name, String namespace, List<Ip> addresses, List<Container> containers) {

    /// One container: `entry` leads in, while it runs. `log` is what its newest run wrote, and `logBefore` what the run
    /// before did; each may not be there. `terminal` is where its keeper listens for those who attach.
    public record Container(
            String name,
            BooleanSupplier running,
            Optional<RuntimeContainer> entry,
            Path log,
            Path logBefore,
            Optional<Path> terminal) {}
}
