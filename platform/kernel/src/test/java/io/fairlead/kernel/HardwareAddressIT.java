package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import java.net.NetworkInterface;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HardwareAddressIT {
    private static final String PREFIX = "flhw" + ProcessHandle.current().pid();
    private static final byte[] OURS = {2, 10, 20, 30, 40, 50};

    @AfterEach
    void remove() {
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }

    @Test
    void a_bridge_keeps_the_address_it_was_given_when_ports_come() {
        NetworkNamespace node = NetworkNamespace.create(PREFIX + "-node");
        NetworkNamespace pod = NetworkNamespace.create(PREFIX + "-pod");

        byte[] seen = node.call(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                route.addBridge("pods");
                route.setHardwareAddress("pods", OURS);
                route.addVeth("port", "eth0", pod);
                route.setHardwareAddress("port", new byte[] {2, 0, 0, 0, 0, 1}); // lower: a bridge would take it
                route.setMaster("port", "pods");
                route.addAddress("pods", Ip.parse("10.7.0.1"), 24); // Java sees no link without one
            }
            return NetworkInterface.getByName("pods").getHardwareAddress();
        });

        assertThat(seen).isEqualTo(OURS);
    }
}
