package io.fairlead.bench;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.nftables.NftablesBackend;
import java.util.List;

/// How long the kernel takes to be programmed by the mode nftables: a whole cluster from nothing, and one changed
/// endpoint.
///
/// It runs in a network namespace of its own and sends no packet. Prints one CSV line a size.
public final class ProgrammingBench {
    static final NodeFacts NODE = NodeFacts.of("node-1", List.of(Cidr.parse("10.128.0.0/9")));
    private static final int WARM_UP = 2_000;

    private ProgrammingBench() {}

    public static void main(String[] args) {
        int changes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        System.out.println(ProgrammingRun.HEADER);
        for (SyntheticCluster cluster : List.of(new SyntheticCluster(1_000, 5), new SyntheticCluster(10_000, 10))) {
            inNamespace(() -> {
                try (NftablesBackend backend = NftablesBackend.open(NODE)) {
                    System.out.println(new ProgrammingRun<>(backend, NODE, cluster, WARM_UP).measure(changes));
                }
            });
        }
    }

    static void inNamespace(Runnable body) {
        NetworkNamespace namespace =
                NetworkNamespace.create("flbench" + ProcessHandle.current().pid());
        try {
            namespace.run(body);
        } finally {
            namespace.delete();
        }
    }
}
