package io.fairlead.iptables;

import io.fairlead.testkit.RequiresRoot;

/// On the packet filter before nf_tables.
@RequiresRoot
final class LegacyBackendIT implements IptablesBackendContract {
    @Override
    public IptablesMachine machine() {
        return new IptablesMachine(Variant.LEGACY);
    }
}
