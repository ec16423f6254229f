package io.fairlead.dist;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Revision;
import io.fairlead.client.Deletion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Carries out events on a cluster, and writes down who could not follow meanwhile.
final class Disturber {
    /// The bar for the repair of what another program emptied.
    private static final Duration REPAIR = Duration.ofSeconds(1);
    /// Longer than the silence after which a node is taken for lost (10 s).
    private static final Duration LOSS = Duration.ofSeconds(16);
    /// `up` gives up a program that ends more than five times in a minute.
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);

    private final RunningCluster cluster;
    private final Rollout target;
    private final int nodePort;
    private final ServiceHistory history;
    private final Outages outages = new Outages();
    private final Set<String> unplugged = new HashSet<>();
    private @Nullable String orphan;

    Disturber(RunningCluster cluster, Rollout target, ServiceHistory history) throws InterruptedException {
        this.cluster = cluster;
        this.target = target;
        this.nodePort = target.nodePort();
        this.history = history;
    }

    Outages outages() {
        return outages;
    }

    /// True if it was carried out; some events wait for others to be over.
    boolean carryOut(Event event) throws Exception {
        switch (event) {
            case Event.Scale(int replicas) -> target.scale(replicas);
            case Event.Roll _ -> target.beginRoll();
            case Event.DeletePod(int index) -> {
                return pod(index).map(this::delete).isPresent();
            }
            case Event.Unlabel(int index) -> {
                return unlabel(index);
            }
            case Event.ChangeType(String type) -> patchService(typed(type));
            case Event.ChangePolicy(String field, String value) -> {
                return changePolicy(field, value);
            }
            case Event.ChangeAffinity(boolean sticky) ->
                patchService("{\"sessionAffinity\": \"%s\"}".formatted(sticky ? "ClientIP" : "None"));
            case Event.KillProxy(String node) -> {
                return kill(node);
            }
            case Event.Flush(String node) -> {
                return flush(node);
            }
            case Event.LoseNode(String node) -> {
                return lose(node);
            }
        }
        return true;
    }

    /// Looks after those that are out: plugs cables in again, and sees who has caught up. To be called again and again.
    void lookAfter() throws Exception {
        for (String node : cluster.nodes()) {
            if (unplugged.contains(node)
                    && outages.sinceLast(node, Outages.Kind.LOST).compareTo(LOSS) > 0) {
                cluster.cable(node, true);
                unplugged.remove(node);
            }
            if (!unplugged.contains(node) && outages.isOut(node, Outages.Kind.BLIND)) {
                lookAt(node);
            }
        }
    }

    boolean isQuiet() throws Exception {
        return cluster.nodes().stream()
                .noneMatch(node -> outages.isOut(node, Outages.Kind.BLIND) || outages.isOut(node, Outages.Kind.LOST));
    }

    /// A proxy that is away for so long that its node counts as lost is not waited for any more.
    private void lookAt(String node) throws Exception {
        long newest = history.newest();
        Revision departed = history.departed();
        Node told = Node.of(cluster.client().get(Kind.NODE, new NamespacedName("", node)));
        if (!told.ready()) {
            outages.begin(node, Outages.Kind.LOST);
        } else if (cluster.programmedRevision(node) >= newest
                && !departed.isAfter(told.programmed().orElse(Revision.ZERO))) {
            outages.end(node, Outages.Kind.BLIND);
            outages.end(node, Outages.Kind.LOST);
        }
    }

    private Optional<String> pod(int index) throws InterruptedException {
        List<String> pods = target.podNames();
        return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(index % pods.size()));
    }

    private String delete(String pod) {
        try {
            cluster.client().delete(Kind.POD, new NamespacedName("default", pod), Deletion.DEFAULT);
        } catch (io.fairlead.client.ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return pod;
    }

    /// The one that was sent away before is ended.
    private boolean unlabel(int index) throws InterruptedException {
        Optional<String> pod = pod(index);
        if (pod.isEmpty()) {
            return false;
        }
        cluster.client()
                .mergePatch(
                        Kind.POD,
                        new NamespacedName("default", pod.get()),
                        Json.parse("{\"metadata\": {\"labels\": {\"app\": \"away\"}}}"));
        if (orphan != null) {
            delete(orphan);
        }
        orphan = pod.get();
        return true;
    }

    private String typed(String type) {
        return type.equals("ClusterIP")
                ? "{\"type\": \"ClusterIP\", \"externalTrafficPolicy\": null,"
                        + " \"ports\": [{\"port\": 80, \"targetPort\": 8080}]}"
                : "{\"type\": \"%s\", \"ports\": [{\"port\": 80, \"targetPort\": 8080, \"nodePort\": %d}]}"
                        .formatted(type, nodePort);
    }

    private boolean changePolicy(String field, String value) throws InterruptedException {
        boolean applies = !field.startsWith("external")
                || !target.service().type().toString().equals("ClusterIP");
        if (applies) {
            patchService("{\"%s\": \"%s\"}".formatted(field, value));
        }
        return applies;
    }

    private void patchService(String spec) throws InterruptedException {
        JsonNode patch = Json.parse("{\"spec\": %s}".formatted(spec));
        cluster.client().mergePatch(Kind.SERVICE, target.key(), patch);
    }

    private boolean kill(String node) throws Exception {
        boolean may = !outages.isOut(node, Outages.Kind.BLIND)
                && outages.sinceLast(node, Outages.Kind.BLIND).compareTo(BETWEEN_KILLS) > 0
                && outages.sinceLast(node, Outages.Kind.FLUSHED).compareTo(REPAIR.multipliedBy(3)) > 0;
        if (may) {
            outages.begin(node, Outages.Kind.BLIND);
            cluster.kill(node);
        }
        return may;
    }

    private boolean flush(String node) throws Exception {
        boolean may = !outages.isOut(node, Outages.Kind.BLIND);
        if (may) {
            outages.lasting(node, Outages.Kind.FLUSHED, REPAIR);
            cluster.printed(node, "iptables", "-t", "nat", "-F");
            cluster.printed(node, "iptables", "-t", "filter", "-F");
        }
        return may;
    }

    private boolean lose(String node) throws Exception {
        boolean may = isQuiet();
        if (may) {
            outages.begin(node, Outages.Kind.LOST);
            outages.begin(node, Outages.Kind.BLIND);
            cluster.cable(node, false);
            unplugged.add(node);
        }
        return may;
    }
}
