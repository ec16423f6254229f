package io.fairlead.dist;

import java.util.List;
import java.util.random.RandomGenerator;

/// Something that happens to a cluster while clients connect.
sealed interface Event {
    /// The Deployment gets another number of pods.
    record Scale(int replicas) implements Event {}

    /// Every pod is replaced.
    record Roll() implements Event {}

    /// One pod is deleted; which, of those that are there then.
    record DeletePod(int index) implements Event {}

    /// One pod loses the label by which the Service selects it, and runs on.
    record Unlabel(int index) implements Event {}

    /// The Service is opened to others, or closed.
    record ChangeType(String type) implements Event {}

    /// `field` of the Service is one of its traffic policies.
    record ChangePolicy(String field, String value) implements Event {}

    /// Clients are remembered, or not.
    record ChangeAffinity(boolean sticky) implements Event {}

    /// The agent of a node, and with it its proxy, is killed and comes back.
    record KillProxy(String node) implements Event {}

    /// Another program empties the tables of the packet filter.
    record Flush(String node) implements Event {}

    /// The cable of a node is pulled, for long enough that the cluster notices.
    record LoseNode(String node) implements Event {}

    /// One at random. Most are about endpoints; a node is seldom lost, because that takes long.
    static Event random(RandomGenerator random, List<String> nodes, boolean flushes) {
        String node = nodes.get(random.nextInt(nodes.size()));
        return switch (random.nextInt(32)) {
            case 0, 1, 2, 3, 4, 5 -> new Scale(2 + random.nextInt(5));
            case 6, 7, 8, 9 -> new Roll();
            case 10, 11, 12, 13, 14 -> new DeletePod(random.nextInt(100));
            case 15, 16, 17 -> new Unlabel(random.nextInt(100));
            case 18, 19 ->
                new ChangeType(List.of("ClusterIP", "NodePort", "LoadBalancer").get(random.nextInt(3)));
            case 20, 21 -> new ChangePolicy("externalTrafficPolicy", policy(random));
            case 22 -> new ChangePolicy("internalTrafficPolicy", policy(random));
            case 23, 24 -> new ChangeAffinity(random.nextBoolean());
            case 25, 26, 27 -> new KillProxy(node);
            case 28, 29, 30 -> flushes ? new Flush(node) : new KillProxy(node);
            default -> new LoseNode(node);
        };
    }

    private static String policy(RandomGenerator random) {
        return random.nextInt(3) == 0 ? "Local" : "Cluster";
    }
}
