package io.fairlead.ipvs;

import io.fairlead.testkit.GuestKernel;
import io.fairlead.testkit.RequiresRoot;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What needs a kernel with IPVS, in the guest.
@RequiresRoot
final class IpvsIT {
    @TestFactory
    Stream<DynamicTest> in_the_guest() {
        return GuestKernel.tests(IpvsBackendGuest.class, IpvsTrafficGuest.class);
    }
}
