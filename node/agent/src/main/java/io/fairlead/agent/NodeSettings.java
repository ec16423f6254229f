package io.fairlead.agent;

import io.fairlead.api.Ip;
import io.fairlead.containers.ImageTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How a node does its work, where its owner may want it otherwise.
///
/// A node is taken for lost when its Lease was not renewed for `leaseDuration`. `clusterDns` are the name servers of
/// pods; where there is none, the Service `kube-system/kube-dns` is. `imageTables` are files, read before the built-in
/// table.
public record NodeSettings(
        Duration leaseDuration, List<Ip> clusterDns, String clusterDomain, List<Path> imageTables, Images images) {
    public static final NodeSettings DEFAULT =
            new NodeSettings(Duration.ofSeconds(10), List.of(), "cluster.local", List.of(), Images.DEFAULT);

    /// Where images come from: `samples` are the built-in programs that stand for a few well-known images, and
    /// `registriesConf` is a file of containers-registries.conf(5) with mirrors and insecure registries (empty: the
    /// machine's).
    public record Images(ImageTable.Samples samples, String registriesConf) {
        public static final Images DEFAULT = new Images(ImageTable.Samples.NONE, "");

        List<String> skopeoOptions() {
            return registriesConf.isEmpty() ? List.of() : List.of("--registries-conf", registriesConf);
        }
    }

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
