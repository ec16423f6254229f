package io.fairlead.objects;

import io.fairlead.api.Json;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Lets pods go only as fast as their PodDisruptionBudgets allow, and keeps the numbers of the budgets.
///
/// Each eviction is first written into its budget: two that are asked for at once, of one server or of two, cannot both
/// have the last pod that can be spared.
public final class Evictions {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final DisruptionBudgets budgets;
    private final ObjectWrites writes;

    public Evictions(DisruptionBudgets budgets, ObjectWrites writes) {
        this.budgets = budgets;
        this.writes = writes;
    }

    /// Throws a 429 if the pod is needed where it is.
    public void allow(ApiObject pod, boolean dryRun) throws InterruptedException {
        List<ApiObject> about = budgets.of(pod);
        if (about.size() > 1) {
            throw StatusException.of(
                    500,
                    "InternalError",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        if (about.isEmpty() || pod.isTerminating() || isFree(pod, about.getFirst())) {
            return;
        }
        Author author = dryRun ? Author.SERVER.tryingOnly() : Author.SERVER;
        ApiObject budget = about.getFirst();
        writes.update(budget.kind(), budget.key(), UpdatePart.STATUS, now -> spend(now, pod), author);
    }

    /// A pod that serves no client is no loss, as long as the others are enough.
    private boolean isFree(ApiObject pod, ApiObject budget) {
        if (DisruptionBudgets.isHealthy(pod)) {
            return false;
        }
        DisruptionBudgets.Count count = budgets.count(budget);
        return count.healthy() >= count.needed()
                || Json.text(budget.tree(), "spec", "unhealthyPodEvictionPolicy")
                        .equals("AlwaysAllow");
    }

    private ObjectNode spend(ApiObject budget, ApiObject pod) {
        DisruptionBudgets.Count count = budgets.count(budget);
        if (count.spare() < 1) {
            throw StatusException.budgetSpent(budget.key().name(), count.needed(), count.healthy());
        }
        return budgets.told(budget, count, pod.key().name());
    }

    /// Writes the numbers of all budgets, once a second where they changed, until interrupted.
    public void run() throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK_AGAIN);
            for (ApiObject budget : budgets.all()) {
                tell(budget);
            }
        }
    }

    private void tell(ApiObject budget) throws InterruptedException {
        if (budgets.told(budget, budgets.count(budget), "").equals(budget.tree())) {
            return;
        }
        try {
            writes.update(
                    budget.kind(),
                    budget.key(),
                    UpdatePart.STATUS,
                    now -> budgets.told(now, budgets.count(now), ""),
                    Author.SERVER);
        } catch (StatusException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
