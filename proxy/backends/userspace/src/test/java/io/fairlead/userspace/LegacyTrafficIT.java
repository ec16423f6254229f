package io.fairlead.userspace;

import io.fairlead.testkit.RequiresRoot;

/// Where there is no nftables: the chains of the documents.
@RequiresRoot
final class LegacyTrafficIT extends UserspaceTraffic {
    @Override
    Filter filter() {
        return new IptablesFilter("-legacy");
    }
}
