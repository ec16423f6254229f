package io.fairlead.dist;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.dist.Caller.Connection;
import io.fairlead.dist.Oracle.Offence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Events at random, by a seed, on a cluster to which three clients connect all the time: a pod, a process of a
/// node, and a client outside.
final class EventRun {
    private static final Duration PACE = Duration.ofMillis(20);

    /// What came of it: every connection that reached a wrong pod, or no pod although it should have.
    record Report(String mode, long seed, int events, int connections, List<Offence> offences, List<String> log) {
        long count(String kind) {
            return offences.stream()
                    .filter(offence -> offence.kind().equals(kind))
                    .count();
        }

        String csv() {
            return "%s,%d,%d,%d,%d,%d".formatted(mode, seed, events, connections, count("wrong"), count("failed"));
        }
    }

    private final RunningCluster cluster;
    private final String mode;
    private final long seed;
    private final RandomGenerator random;
    private final List<String> log = new ArrayList<>();
    private final long start = System.nanoTime();

    EventRun(RunningCluster cluster, String mode, long seed) {
        this.cluster = cluster;
        this.mode = mode;
        this.seed = seed;
        this.random = new Random(seed);
    }

    Report run(int events) throws Exception {
        Rollout target = Rollout.create(cluster, "target", 4);
        List<Connection> connections = new ArrayList<>();
        try (ServiceHistory history = new ServiceHistory(cluster.access(), target.key())) {
            await().atMost(Duration.ofSeconds(30)).until(() -> history.newest() > 0);
            Disturber disturber = new Disturber(cluster, target, history);
            List<Caller> callers = callers(target);
            try {
                for (int i = 0; i < events; i++) {
                    disturb(disturber);
                }
                quieten(disturber);
            } finally {
                for (String node : cluster.nodes()) {
                    cluster.cable(node, true);
                }
                for (Caller caller : callers) {
                    connections.addAll(caller.stop());
                }
            }
            quietMoment(disturber, Oracle.TOLERANCE.multipliedBy(2));
            Oracle oracle = new Oracle(history, disturber.outages());
            List<Offence> offences = connections.stream()
                    .flatMap(connection -> oracle.judge(connection).stream())
                    .toList();
            offences.forEach(offence -> log.add(offence.text(start)));
            return new Report(mode, seed, events, connections.size(), offences, log);
        } finally {
            target.delete();
        }
    }

    private List<Caller> callers(Rollout target) throws Exception {
        List<Ip> nodes = cluster.nodeIps();
        return List.of(
                new Caller(
                        new Caller.Place("node", "node-1", false), cluster.nodeNamespace("node-1"), target.vip(), PACE),
                new Caller(new Caller.Place("pod", "node-2", false), cluster.clientPod("node-2"), target.vip(), PACE),
                new Caller(
                        new Caller.Place("outside", "node-3", true),
                        cluster.outside(),
                        new IpPort(nodes.get(2), target.nodePort()),
                        PACE));
    }

    /// One event that could be carried out, and a moment for it to be under way.
    private void disturb(Disturber disturber) throws Exception {
        Event event = Event.random(random, cluster.nodes(), mode.equals("iptables"));
        while (!disturber.carryOut(event)) {
            event = Event.random(random, cluster.nodes(), mode.equals("iptables"));
        }
        log.add("%.3f s %s".formatted((System.nanoTime() - start) / 1e9, event));
        quietMoment(disturber, Duration.ofMillis(200 + random.nextInt(1_300)));
    }

    private static void quietMoment(Disturber disturber, Duration length) {
        await().pollInterval(Duration.ofMillis(100))
                .atMost(length.plusSeconds(60))
                .during(length)
                .until(() -> {
                    disturber.lookAfter();
                    return true;
                });
    }

    private static void quieten(Disturber disturber) {
        await().pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    disturber.lookAfter();
                    return disturber.isQuiet();
                });
    }
}
