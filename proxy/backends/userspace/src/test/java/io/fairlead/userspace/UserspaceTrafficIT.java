package io.fairlead.userspace;

import io.fairlead.testkit.RequiresRoot;

@RequiresRoot
final class UserspaceTrafficIT extends UserspaceTraffic {
    @Override
    Filter filter() {
        return new NftFilter();
    }
}
