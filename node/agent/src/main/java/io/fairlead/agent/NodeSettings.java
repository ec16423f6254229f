package io.fairlead.agent;

import io.fairlead.api.Ip;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How a node does its work, where its owner may want it otherwise.
///
/// A node is taken for lost when its Lease was not renewed for `leaseDuration`. `clusterDns` are the name servers of
/// pods; where there is none, the Service `kube-system/kube-dns` is. `imageTables` are files, read before the built-in
/// table.
public record NodeSettings(Duration leaseDuration, List<Ip> clusterDns, String clusterDomain, List<Path> imageTables) {
    public static final NodeSettings DEFAULT =
            new NodeSettings(Duration.ofSeconds(10), List.of(), "cluster.local", List.of());

    public NodeSettings {
        clusterDns = List.copyOf(clusterDns);
        imageTables = List.copyOf(imageTables);
        if (leaseDuration.toSeconds() < 1) {
            throw new IllegalArgumentException("leaseDuration: %s is less than a second".formatted(leaseDuration));
        }
    }

    /// Three renewals may fail before the node is lost.
    Duration renewal() {
        return leaseDuration.dividedBy(4);
    }
}
