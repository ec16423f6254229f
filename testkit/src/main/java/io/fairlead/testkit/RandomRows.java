package io.fairlead.testkit;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// The rows of a few Services that come, change and go at random; the same seed gives the same steps.
///
/// The pods are few and shared, so that Services claim the same entries.
public final class RandomRows {
    private static final int SERVICES = 8;
    private static final int PODS = 10;
    private static final NodeFacts NODE = NodeFacts.of("node-a", Scenario.POD_NETWORKS);

    private final RandomGenerator random;
    private final Map<NamespacedName, List<Forwarding>> rows = new TreeMap<>();

    public RandomRows(long seed) {
        this.random = new Random(seed);
    }

    /// Goes on by `count` steps; in each one Service appears, changes or goes.
    public RandomRows steps(int count) {
        for (int i = 0; i < count; i++) {
            int service = random.nextInt(SERVICES);
            NamespacedName name = new NamespacedName("default", "service-" + service);
            if (random.nextInt(4) == 0) {
                rows.remove(name);
            } else {
                rows.put(name, rowsOf(name, service));
            }
        }
        return this;
    }

    /// What `backend` makes of the rows as they are now.
    public <E extends Entry> Program<E> program(Backend<E> backend) {
        List<E> entries = new ArrayList<>(backend.foundation(NODE));
        rows.values().forEach(service -> entries.addAll(backend.compile(service)));
        return Program.of(entries);
    }

    private List<Forwarding> rowsOf(NamespacedName service, int number) {
        List<Forwarding> result = new ArrayList<>();
        Protocol protocol = random.nextBoolean() ? Protocol.TCP : Protocol.UDP;
        ServicePortName name = new ServicePortName(service, "main", protocol);
        for (Family family : Family.values()) {
            if (random.nextInt(3) == 0) {
                continue;
            }
            Verdict verdict = verdict(family);
            Ip vip = Ip.parse(family == Family.IPV4 ? "10.96.0.10" : "fd00:96::10")
                    .plus(number);
            Frontend clusterIp = new Frontend.VirtualAddress(vip, protocol, 80);
            result.add(Forwarding.of(clusterIp, name, verdict, Masquerade.OFF_CLUSTER));
            if (random.nextBoolean()) {
                Frontend nodePort = new Frontend.NodePort(family, protocol, 30000 + number);
                result.add(Forwarding.of(nodePort, name, verdict, Masquerade.ALWAYS));
            }
        }
        return List.copyOf(result);
    }

    private Verdict verdict(Family family) {
        return switch (random.nextInt(8)) {
            case 0 -> new Verdict.Reject();
            case 1 -> new Verdict.Drop();
            default -> new Verdict.SendTo(targets(family));
        };
    }

    private List<Target> targets(Family family) {
        Ip first = Ip.parse(family == Family.IPV4 ? "10.244.1.2" : "fd00:244:1::2");
        int port = random.nextBoolean() ? 8080 : 9090;
        return IntStream.range(0, PODS)
                .filter(pod -> pod == 0 || random.nextBoolean())
                .mapToObj(pod -> new Target(new IpPort(first.plus(pod), port), pod % 3 == 0))
                .toList();
    }
}
