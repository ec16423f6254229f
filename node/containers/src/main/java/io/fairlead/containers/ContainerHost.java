package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The node as its containers see it: who it is, what the cluster says, and where its programs are.
///
/// `terminal` holds the streams of containers that ask for an input or a terminal.
public record ContainerHost(
        Identity identity,
        ApiClient api,
        Supplier<Snapshot> snapshots,
        Folders folders,
        @Nullable TerminalProgram terminal) {

    /// `clusterDns` are the name servers of pods; where there is none, the cluster's DNS Service is.
    public record Identity(String name, List<Ip> addresses, List<Ip> clusterDns, String clusterDomain) {
        public Identity {
            addresses = List.copyOf(addresses);
            clusterDns = List.copyOf(clusterDns);
        }
    }

    /// `programs` has those of the built-in images; on `mountPoint` roots are put together.
    public record Folders(Path programs, Path mountPoint) {}

    Optional<TerminalProgram> findTerminal() {
        return Optional.ofNullable(terminal);
    }
}
