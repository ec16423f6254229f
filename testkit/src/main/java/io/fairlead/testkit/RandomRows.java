package io.fairlead.testkit;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Sources;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import java.time.Duration;
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
    private static final List<Protocol> PROTOCOLS = List.of(Protocol.values());
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
        List<E> entries = new ArrayList<>(backend.compiler().foundation(NODE));
        rows.values()
                .forEach(service -> entries.addAll(
                        backend.compiler().compile(service, Detail.FULL).entries()));
        return Program.of(entries);
    }

    private List<Forwarding> rowsOf(NamespacedName service, int number) {
        List<Forwarding> result = new ArrayList<>();
        Protocol protocol = PROTOCOLS.get(random.nextInt(PROTOCOLS.size()));
        ServicePortName name = new ServicePortName(service, "main", protocol);
        Affinity affinity = random.nextInt(3) == 0
                ? new Affinity.ClientIp(Duration.ofSeconds(10 + random.nextInt(2)))
                : new Affinity.None();
        for (Family family : Family.values()) {
            if (random.nextInt(3) == 0) {
                continue;
            }
            Ip vip = Ip.parse(family == Family.IPV4 ? "10.96.0.10" : "fd00:96::10")
                    .plus(number);
            Frontend clusterIp = new Frontend.VirtualAddress(vip, protocol, 80);
            result.add(Forwarding.of(clusterIp, name, verdict(family), Masquerade.OFF_CLUSTER)
                    .withAffinity(affinity));
            external(name, number, family).forEach(row -> result.add(row.withAffinity(affinity)));
        }
        return List.copyOf(result);
    }

    /// The frontends for those outside, which share one policy.
    private List<Forwarding> external(ServicePortName name, int number, Family family) {
        Ip first = Ip.parse(family == Family.IPV4 ? "203.0.113.10" : "2001:db8:1::10")
                .plus(number);
        List<Frontend> frontends = List.of(
                new Frontend.NodePort(family, name.protocol(), 30000 + number),
                new Frontend.ExternalAddress(first, name.protocol(), 80),
                new Frontend.LoadBalancerAddress(first.plus(20), name.protocol(), 80));
        boolean local = random.nextInt(3) == 0;
        Verdict verdict = verdict(family);
        Verdict inside = local ? verdict(family) : verdict;
        Masquerade masquerade = local ? Masquerade.FROM_NODE : Masquerade.ALWAYS;
        return frontends.stream()
                .filter(_ -> random.nextBoolean())
                .map(frontend ->
                        Forwarding.of(frontend, name, verdict, masquerade).withInside(inside))
                .map(row ->
                        row.frontend() instanceof Frontend.LoadBalancerAddress ? row.withSources(sources(family)) : row)
                .toList();
    }

    private Sources sources(Family family) {
        List<String> networks = family == Family.IPV4
                ? List.of("198.51.100.0/24", "10.0.0.0/9", "192.0.2.7/32")
                : List.of("2001:db8::/32", "fd00:244::/33", "2001:db8:7::7/128");
        return new Sources(networks.stream()
                .filter(_ -> random.nextInt(3) == 0)
                .map(Cidr::parse)
                .toList());
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
