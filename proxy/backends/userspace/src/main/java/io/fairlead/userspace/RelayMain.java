package io.fairlead.userspace;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Target;
import io.fairlead.kernel.StreamSockets;
import io.fairlead.userspace.UserspaceEntry.Action.Relay;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/// The relay alone, without rules: `RelayMain 127.0.0.1:9000 127.0.0.1:9101 127.0.0.1:9102` leads what comes to the
/// first address to the others in turn. For measurements beside other relays.
public final class RelayMain {
    private RelayMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        IpPort front = IpPort.parse(arguments[0]);
        List<Target> targets = Arrays.stream(arguments)
                .skip(1)
                .map(text -> new Target(IpPort.parse(text), false))
                .toList();
        Balancer balancer = new ServiceBalancer(
                new Relay(targets, Scheduler.WRR, new Affinity.None()), new ServiceMemory(), new LongAdder());
        try (StreamSockets sockets = new StreamSockets();
                RelayServer relay = RelayServer.start(
                        Sockets.of(List.of(sockets.listen(front, 4096))),
                        (_, _) -> Optional.of(balancer),
                        Preamble.NONE,
                        RelayLimits.ofNode(Runtime.getRuntime().availableProcessors()))) {
            new CountDownLatch(1).await();
            relay.open();
        }
    }
}
