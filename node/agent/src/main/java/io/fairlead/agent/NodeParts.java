package io.fairlead.agent;

import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.kernel.ProcessEnds;
import io.fairlead.runtime.Latest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What all pods of a node share.
record NodeParts(
        NodeConfig config,
        ApiClient api,
        StateFolder state,
        AddressBook addresses,
        PodNetwork network,
        Programming programming,
        Latest<Snapshot> snapshots) {

    /// How programs are found, started and watched.
    record Programming(
            ImageTable images,
            Podman podman,
            ProcessEnds ends,
            LogPump logs,
            @Nullable TerminalProgram terminal) {}

    /// The newest there is.
    Snapshot snapshot() {
        return snapshots.peek().orElse(Snapshot.EMPTY);
    }

    Podman podman() {
        return programming.podman();
    }

    Optional<TerminalProgram> terminal() {
        return Optional.ofNullable(programming.terminal());
    }
}
