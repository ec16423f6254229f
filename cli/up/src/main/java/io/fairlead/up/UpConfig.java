package io.fairlead.up;

import io.fairlead.api.IpPort;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.lab.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// What `fairlead up` was asked for.
///
/// @param mode how the nodes program the kernel: `nftables`
/// @param dir  where the state, the logs and the kubeconfig are
/// @param keys lets `up` itself and the nodes in
public record UpConfig(Topology topology, String mode, Path dir, Launcher launcher, Keys keys, Wishes wishes) {
    /// What pods may ask for where their namespace does not say it.
    public static final String POD_SECURITY = "baseline";

    public UpConfig(Topology topology, String mode, Path dir, Launcher launcher, Keys keys) {
        this(topology, mode, dir, launcher, keys, new Wishes(false, POD_SECURITY, NodeWishes.NONE, Content.SAMPLE));
    }

    /// Makes proofs of identity, for the control plane whose state is in [#serverDir].
    public interface Keys {
        /// For `up` itself, which may do everything.
        ClusterAccess own(Path serverDir, IpPort server);

        ClusterAccess node(Path serverDir, IpPort server, String name);
    }

    /// What not every cluster has.
    ///
    /// @param ingress whether an Ingress controller runs at the edge, with a rule for the sample
    /// @param podSecurity the level of the Pod Security Standards where no label says another
    public record Wishes(boolean ingress, String podSecurity, NodeWishes nodes, Content content) {}

    /// What its nodes are to be like.
    ///
    /// @param imageTables files that say which folders and programs stand for which images
    /// @param zones       over how many zones the nodes are spread; 0 gives them none
    /// @param registriesConf mirrors and insecure registries: then only images named `fairlead/…` are samples
    public record NodeWishes(List<Path> imageTables, int zones, String registriesConf) {
        public static final NodeWishes NONE = new NodeWishes(List.of(), 0, "");

        public NodeWishes {
            imageTables = imageTables.stream()
                    .map(file -> file.toAbsolutePath().normalize())
                    .toList();
        }

        /// The zone of the node of this number, from 1; empty where nodes have none.
        String zone(int node) {
            return zones == 0 ? "" : "zone-" + (1 + (node - 1) % zones);
        }
    }

    /// What is put into the cluster when its nodes are ready.
    ///
    /// @param sample    whether it has the Service `hello`
    /// @param bothFamilies whether that Service has an address of each family
    /// @param manifests puts in what the user's files say
    public record Content(boolean sample, boolean bothFamilies, Manifests manifests) {
        public static final Content SAMPLE = new Content(true, false, (_, _) -> {});
    }

    /// Objects of a user.
    public interface Manifests {
        /// Puts them in, and tells what became of each.
        void put(ApiClient client, Consumer<String> told) throws InterruptedException;
    }

    /// How this program is started again.
    ///
    /// @param program the words before a command, for the cluster's processes: java, its options, the main class
    /// @param typed   what a user types before a command for this cluster: `./fairlead`
    public record Launcher(List<String> program, String typed) {
        public Launcher {
            program = List.copyOf(program);
        }
    }

    public UpConfig {
        dir = dir.toAbsolutePath().normalize();
    }

    boolean sample() {
        return wishes.content().sample();
    }

    boolean ingress() {
        return wishes.ingress();
    }

    public Path kubeconfig() {
        return dir.resolve("kubeconfig");
    }

    /// The kubeconfig of a node's agent.
    Path kubeconfig(Topology.NodePlace node) {
        return nodeDir(node).resolve("kubeconfig");
    }

    Path nodeDir(Topology.NodePlace node) {
        return dir.resolve("nodes").resolve(node.name());
    }

    Path ingressDir() {
        return dir.resolve("ingress");
    }

    Path serverDir() {
        return dir.resolve("server");
    }

    /// The administrator's, which the control plane writes.
    Path serverKubeconfig() {
        return serverDir().resolve("kubeconfig");
    }

    Path logs() {
        return dir.resolve("logs");
    }

    Path upFile() {
        return dir.resolve(UpFile.NAME);
    }
}
