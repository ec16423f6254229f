package io.fairlead.nftables;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.BackendContract;
import io.fairlead.testkit.TestNamespace;
import java.util.List;
import java.util.stream.Stream;

/// A fresh network namespace. The backend does all its work inside; `nft` says what is there.
final class NftablesMachine implements BackendContract.Machine<NftablesEntry> {
    static final NodeFacts NODE =
            NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/48")));

    private final TestNamespace inside = new TestNamespace();

    @Override
    public Backend<NftablesEntry> open() {
        return inside.open(() -> NftablesBackend.open(NODE));
    }

    @Override
    public String leftovers() {
        return nft("list", "ruleset");
    }

    NetworkNamespace namespace() {
        return inside.namespace();
    }

    String nft(String... arguments) {
        return inside.run(Stream.concat(Stream.of("nft"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Override
    public void close() {
        inside.close();
    }
}
