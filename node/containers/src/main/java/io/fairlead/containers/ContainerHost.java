package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/// The node as its containers see it: who it is, what the cluster says, and where its programs are.
///
/// `programs` is the folder with the programs of the sample images.
public record ContainerHost(
        Identity identity, ApiClient api, Supplier<Snapshot> snapshots, Path programs, Machine machine) {

    /// `clusterDns` are the name servers of pods; where there is none, the cluster's DNS Service is.
    public record Identity(String name, List<Ip> addresses, List<Ip> clusterDns, String clusterDomain) {
        public Identity {
            addresses = List.copyOf(addresses);
            clusterDns = List.copyOf(clusterDns);
        }
    }

    /// `cgroup` is the cgroup below which all pods of the node are; `memory` is what the machine has, in bytes.
    ///
    /// The kernel spares no process of the node more than by `lowestScore`, see `oom_score_adj` in proc(5).
    public record Machine(String cgroup, long memory, int lowestScore) {}
}
