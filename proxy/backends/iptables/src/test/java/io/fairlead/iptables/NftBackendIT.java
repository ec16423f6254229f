package io.fairlead.iptables;

import io.fairlead.testkit.RequiresRoot;

/// On nf_tables.
@RequiresRoot
final class NftBackendIT implements IptablesBackendContract {
    @Override
    public IptablesMachine machine() {
        return new IptablesMachine(Variant.NFT);
    }
}
