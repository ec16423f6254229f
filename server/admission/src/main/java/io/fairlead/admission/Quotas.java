package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Quantity;
import io.fairlead.kinds.Amounts;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds namespaces to their ResourceQuotas.
///
/// What a new object takes is written into the status of its quotas before the object is stored: of two that are asked
/// for at once, by one server or by two, only one gets the last of it. What was counted and then not stored, or has
/// gone, is found by [#run], which counts again and again.
public final class Quotas implements Admission {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final WatchCache cache;
    private final AtomicReference<@Nullable ObjectWrites> writes = new AtomicReference<>();
    // What a quota was and should be when it was last looked at: only what is so twice is written.
    private final Map<String, String> seen = new HashMap<>();

    public Quotas(WatchCache cache) {
        this.cache = cache;
    }

    /// The writes that these quotas are a part of themselves.
    public void writeBy(ObjectWrites own) {
        writes.set(own);
    }

    @Override
    public void check(Attempt attempt) {
        if (!attempt.kind().namespaced()) {
            return;
        }
        String namespace = Json.text(attempt.object(), "metadata", "namespace");
        for (ApiObject quota : cache.of(Kind.RESOURCE_QUOTA).list(namespace).items()) {
            Map<String, Quantity> more = more(quota.tree(), attempt);
            if (!more.isEmpty()) {
                spend(quota, more, attempt);
            }
        }
    }

    /// What the write takes of the quota beyond what the object had.
    private static Map<String, Quantity> more(JsonNode quota, Attempt attempt) {
        if (!QuotaUse.counts(quota, attempt.kind(), attempt.object())) {
            return Map.of();
        }
        Map<String, Quantity> use = QuotaUse.of(attempt.kind(), attempt.object());
        Map<String, Quantity> before = attempt.isNew() ? Map.of() : QuotaUse.of(attempt.kind(), attempt.old());
        Map<String, Quantity> more = new TreeMap<>();
        for (String resource : Amounts.at(quota, "spec", "hard").keySet()) {
            requireNamed(quota, resource, use, attempt);
            Quantity added =
                    use.getOrDefault(resource, Quantity.NONE).minus(before.getOrDefault(resource, Quantity.NONE));
            if (added.amount().signum() > 0) {
                more.put(resource, added);
            }
        }
        return more;
    }

    /// A pod of a namespace whose processors or memory are counted has to say what it takes of them.
    private static void requireNamed(JsonNode quota, String resource, Map<String, Quantity> use, Attempt attempt) {
        boolean computed = List.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory")
                .contains(resource);
        if (attempt.isNew() && attempt.kind().equals(Kind.POD) && computed && !use.containsKey(resource)) {
            throw refused(
                    attempt,
                    "failed quota: %s: must specify %s".formatted(Json.text(quota, "metadata", "name"), resource));
        }
    }

    private void spend(ApiObject quota, Map<String, Quantity> more, Attempt attempt) {
        ObjectWrites own = writes.get();
        // A change holds the lock of its object: taking a second one could wait for itself, so it is only looked at.
        if (own == null || attempt.dryRun() || !attempt.isNew()) {
            spent(quota.tree(), more, attempt);
            return;
        }
        try {
            own.update(
                    quota.kind(),
                    quota.key(),
                    UpdatePart.STATUS,
                    now -> spent(now.tree(), more, attempt),
                    Author.SERVER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(attempt, "the server ends");
        } catch (StatusException e) {
            if (e.code() != 404) {
                throw e; // of a quota that has just gone nothing is taken
            }
        }
    }

    /// The quota with `more` taken of it; a 403 if it has not as much.
    private ObjectNode spent(JsonNode quota, Map<String, Quantity> more, Attempt attempt) {
        Map<String, Quantity> hard = Amounts.at(quota, "spec", "hard");
        Map<String, Quantity> used = new TreeMap<>(Amounts.at(quota, "status", "used"));
        if (!used.keySet().containsAll(more.keySet())) {
            used.putAll(used(quota)); // the upkeep has not counted yet
        }
        List<String> over = more.keySet().stream()
                .filter(name -> used.getOrDefault(name, Quantity.NONE)
                                .plus(more.getOrDefault(name, Quantity.NONE))
                                .compareTo(hard.getOrDefault(name, Quantity.NONE))
                        > 0)
                .toList();
        if (!over.isEmpty()) {
            throw refused(
                    attempt,
                    "exceeded quota: %s, requested: %s, used: %s, limited: %s"
                            .formatted(
                                    Json.text(quota, "metadata", "name"),
                                    listed(over, more),
                                    listed(over, used),
                                    listed(over, hard)));
        }
        more.forEach((name, amount) -> used.merge(name, amount, Quantity::plus));
        return told(quota, used);
    }

    private static String listed(List<String> names, Map<String, Quantity> amounts) {
        return names.stream()
                .map(name -> name + "=" + shown(name, amounts.getOrDefault(name, Quantity.NONE)))
                .collect(Collectors.joining(","));
    }

    /// Counts what the objects of the quota's namespace take.
    private Map<String, Quantity> used(JsonNode quota) {
        String namespace = Json.text(quota, "metadata", "namespace");
        Map<String, Quantity> used = new TreeMap<>();
        Map<String, Quantity> hard = Amounts.at(quota, "spec", "hard");
        hard.keySet().forEach(name -> used.put(name, Quantity.NONE));
        for (Kind kind : Kind.ALL) {
            if (!kind.namespaced()) {
                continue;
            }
            for (ApiObject object : cache.of(kind).list(namespace).items()) {
                if (QuotaUse.counts(quota, kind, object.tree())) {
                    QuotaUse.of(kind, object.tree())
                            .forEach((name, amount) -> used.computeIfPresent(name, (_, sum) -> sum.plus(amount)));
                }
            }
        }
        return used;
    }

    private static ObjectNode told(JsonNode quota, Map<String, Quantity> used) {
        ObjectNode next = (ObjectNode) quota.deepCopy();
        ObjectNode status = Tree.object(next, "status");
        ObjectNode hard = status.putObject("hard");
        ObjectNode counts = status.putObject("used");
        Json.at(quota, "spec", "hard").propertyStream().forEach(entry -> {
            hard.set(entry.getKey(), entry.getValue());
            counts.put(entry.getKey(), shown(entry.getKey(), used.getOrDefault(entry.getKey(), Quantity.NONE)));
        });
        return next;
    }

    private static String shown(String resource, Quantity amount) {
        boolean bytes = resource.contains("memory") || resource.contains("storage");
        return bytes ? amount.inPowersOfTwo() : amount.toString();
    }

    /// Writes what is used of all quotas, where that changed, until interrupted.
    public void run() throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK_AGAIN);
            for (ApiObject quota :
                    new ArrayList<>(cache.of(Kind.RESOURCE_QUOTA).list("").items())) {
                count(quota);
            }
        }
    }

    private void count(ApiObject quota) throws InterruptedException {
        ObjectWrites own = writes.get();
        ObjectNode next = told(quota.tree(), used(quota.tree()));
        String key = quota.key().toString();
        if (own == null || next.equals(quota.tree())) {
            seen.remove(key);
            return;
        }
        String found = quota.revision() + " " + next.path("status");
        boolean counted = quota.tree().path("status").has("used");
        if (counted && !found.equals(seen.put(key, found))) {
            return; // an object may be on its way that is counted already
        }
        seen.remove(key);
        try {
            next.withObjectProperty("metadata")
                    .put("resourceVersion", quota.revision().toString());
            own.update(quota.kind(), quota.key(), UpdatePart.STATUS, _ -> next.deepCopy(), Author.SERVER);
        } catch (StatusException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e; // else it is counted again soon
            }
        }
    }

    private static StatusException refused(Attempt attempt, String why) {
        return StatusException.forbidden(attempt.kind(), Json.text(attempt.object(), "metadata", "name"), why);
    }
}
