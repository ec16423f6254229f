package io.fairlead.lab;

import io.fairlead.testkit.GuestKernel;
import io.fairlead.testkit.RequiresRoot;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// The lab in the guest kernel, which has IPVS.
@RequiresRoot
final class IpvsLabIT {
    @TestFactory
    @Timeout(value = 9, unit = TimeUnit.MINUTES)
    Stream<DynamicTest> in_the_guest() {
        return GuestKernel.tests(IpvsScenarioGuest.class);
    }
}
