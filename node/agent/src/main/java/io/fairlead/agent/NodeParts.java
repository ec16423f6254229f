package io.fairlead.agent;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.EventSender;
import io.fairlead.containers.ClaimedFolders;
import io.fairlead.containers.ContainerHost;
import io.fairlead.containers.ContainerRuntime;
import io.fairlead.containers.LogPump;
import io.fairlead.containers.NodeImages;
import io.fairlead.containers.Sandbox;
import io.fairlead.kernel.ProcessEnds;
import io.fairlead.runtime.Latest;
import java.util.Optional;

/// What all pods of a node share.
record NodeParts(
        NodeConfig config,
        ApiClient api,
        StateFolder state,
        AddressBook addresses,
        PodNetwork network,
        Programming programming,
        ContainerHost host,
        Latest<Snapshot> snapshots) {

    /// How programs are found, started and watched.
    record Programming(
            NodeImages images, ContainerRuntime runtime, ProcessEnds ends, LogPump logs, EventSender events) {}

    /// The folders that claims have here.
    ClaimedFolders claims() {
        return new ClaimedFolders(api, state.volumes());
    }

    ContainerRuntime runtime() {
        return programming.runtime();
    }

    /// Writes an Event about a pod, without waiting for the API.
    void tell(Optional<Pod> pod, String type, String reason, String message) {
        pod.ifPresent(known -> programming
                .events()
                .send(new EventDraft(Kind.POD, known.key(), known.metadata().uid(), type, reason, message)));
    }

    Sandbox sandbox(PodRecord record) {
        return new Sandbox(record.names(), record.addresses(), state.root());
    }
}
