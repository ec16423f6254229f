package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.LabelSelector;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How many pods each PodDisruptionBudget can spare, as the cache shows its pods now.
public final class DisruptionBudgets {
    /// So long a pod counts as going before anything shows that it does.
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(2);

    private final WatchCache cache;
    private final Stamp stamp;

    public DisruptionBudgets(WatchCache cache, Stamp stamp) {
        this.cache = cache;
        this.stamp = stamp;
    }

    /// The numbers of one budget. `leaving` are pods that an eviction asked to go, and since when.
    record Count(int healthy, int needed, int expected, Map<String, String> leaving) {
        int spare() {
            return expected == 0 ? 0 : Math.max(0, healthy - needed);
        }
    }

    List<ApiObject> all() {
        return cache.of(Kind.POD_DISRUPTION_BUDGET).list("").items();
    }

    /// Those that are about this pod.
    List<ApiObject> of(ApiObject pod) {
        return cache.of(Kind.POD_DISRUPTION_BUDGET).list(pod.key().namespace()).items().stream()
                .filter(budget -> isAbout(budget, pod))
                .toList();
    }

    private static boolean isAbout(ApiObject budget, ApiObject pod) {
        JsonNode selector = budget.tree().path("spec").path("selector");
        return selector.isObject() && LabelSelector.of(selector).matches(Json.map(pod.tree(), "metadata", "labels"));
    }

    Count count(ApiObject budget) {
        List<ApiObject> pods = cache.of(Kind.POD).list(budget.key().namespace()).items().stream()
                .filter(pod -> isAbout(budget, pod) && !hasEnded(pod))
                .toList();
        Map<String, String> leaving = leaving(budget, pods);
        int healthy = (int) pods.stream()
                .filter(pod -> isHealthy(pod) && !leaving.containsKey(pod.key().name()))
                .count();
        int expected = expected(pods);
        return new Count(healthy, needed(budget.tree().path("spec"), expected), expected, leaving);
    }

    private static boolean hasEnded(ApiObject pod) {
        String phase = Json.text(pod.tree(), "status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    static boolean isHealthy(ApiObject pod) {
        return !pod.isTerminating()
                && Json.at(pod.tree(), "status", "conditions")
                        .valueStream()
                        .anyMatch(condition -> Json.text(condition, "type").equals("Ready")
                                && Json.text(condition, "status").equals("True"));
    }

    /// A pod that is being deleted needs no further note, nor one that the client did not delete after all.
    private Map<String, String> leaving(ApiObject budget, List<ApiObject> pods) {
        Map<String, String> noted = Json.map(budget.tree(), "status", "disruptedPods");
        return pods.stream()
                .filter(pod -> !pod.isTerminating())
                .map(pod -> pod.key().name())
                .filter(name -> isRecent(noted.getOrDefault(name, "")))
                .collect(Collectors.toMap(name -> name, name -> noted.getOrDefault(name, "")));
    }

    private boolean isRecent(String time) {
        try {
            return !time.isEmpty() && Instant.parse(time).plus(ON_ITS_WAY).isAfter(stamp.now());
        } catch (DateTimeException _) { // none, or too far away to be added to
            return false;
        }
    }

    /// As many as their workloads want; a pod without one stands for itself.
    private int expected(List<ApiObject> pods) {
        long alone = pods.stream().filter(pod -> workload(pod).isEmpty()).count();
        int wanted = pods.stream()
                .flatMap(pod -> workload(pod).stream())
                .distinct()
                .mapToInt(workload -> Json.number(workload.tree(), 1, "spec", "replicas"))
                .sum();
        return (int) alone + wanted;
    }

    /// Who wants the pod: its controller, or the controller of that.
    private Optional<ApiObject> workload(ApiObject object) {
        Optional<ApiObject> owner = Dependents.references(object)
                .valueStream()
                .filter(reference -> Json.flag(reference, false, "controller"))
                .findFirst()
                .flatMap(reference -> owner(object, reference));
        return owner.map(found -> workload(found).orElse(found));
    }

    private Optional<ApiObject> owner(ApiObject object, JsonNode reference) {
        return Kind.find(Json.text(reference, "apiVersion"), Json.text(reference, "kind"))
                .flatMap(kind ->
                        cache.of(kind).find(new NamespacedName(object.key().namespace(), Json.text(reference, "name"))))
                .filter(found -> found.uid().equals(Json.text(reference, "uid")));
    }

    private static int needed(JsonNode spec, int expected) {
        return spec.has("maxUnavailable")
                ? Math.max(0, expected - amount(spec.path("maxUnavailable"), expected))
                : amount(spec.path("minAvailable"), expected);
    }

    /// A number, or a part of all in percent, rounded up.
    private static int amount(JsonNode value, int all) {
        String text = value.asString("");
        if (!text.endsWith("%")) {
            return value.asInt(0);
        }
        try {
            return Math.ceilDiv(Integer.parseInt(text.substring(0, text.length() - 1)) * all, 100);
        } catch (NumberFormatException _) {
            return all; // a value that is no percentage spares no pod
        }
    }

    /// The budget with these numbers in its status, and with `pod` among those that go, if it is not empty.
    ObjectNode told(ApiObject budget, Count count, String pod) {
        ObjectNode next = budget.copy();
        ObjectNode status = Tree.object(next, "status");
        int going = pod.isEmpty() ? 0 : 1;
        status.put("observedGeneration", Json.number(budget.tree(), 0, "metadata", "generation"))
                .put("disruptionsAllowed", Math.max(0, count.spare() - going))
                .put("currentHealthy", count.healthy)
                .put("desiredHealthy", count.needed)
                .put("expectedPods", count.expected);
        status.remove("disruptedPods");
        if (going > 0 || !count.leaving.isEmpty()) {
            ObjectNode leaving = status.putObject("disruptedPods");
            count.leaving.forEach(leaving::put);
            if (going > 0) {
                leaving.put(pod, stamp.timestamp(0));
            }
        }
        return next;
    }
}
