package io.fairlead.nftables;

import io.fairlead.testkit.BackendContract;
import io.fairlead.testkit.RequiresRoot;

@RequiresRoot
final class NftablesBackendIT implements BackendContract<NftablesEntry> {
    @Override
    public Machine<NftablesEntry> machine() {
        return new NamespaceMachine();
    }
}
