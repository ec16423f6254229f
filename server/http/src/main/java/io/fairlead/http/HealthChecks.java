package io.fairlead.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// `/healthz`, `/livez` and `/readyz`: all checks, or one by its name behind the path (K9).
///
/// `?verbose` tells of each check, `?exclude=NAME` leaves one out.
final class HealthChecks {
    /// The one check that says nothing about whether we live: to start us again would not bring the store back.
    static final String STORE = "store";

    private static final List<String> ROOTS = List.of("healthz", "livez", "readyz");
    private static final String TEXT = "text/plain; charset=utf-8";

    /// A task that failed and begins again is a check of its own, while that lasts.
    private static final String TASK = "task-";

    private final Map<String, BooleanSupplier> always;
    private final Supplier<? extends Set<String>> failing;

    HealthChecks(Map<String, BooleanSupplier> checks, Supplier<? extends Set<String>> failing) {
        this.always = Map.copyOf(checks);
        this.failing = failing;
    }

    private Map<String, BooleanSupplier> checks() {
        Map<String, BooleanSupplier> checks = new TreeMap<>(always);
        failing.get().forEach(task -> checks.put(TASK + task, () -> false));
        return checks;
    }

    /// The answer, if the path is one of ours.
    Optional<Answer> find(ApiRequest request) {
        List<String> parts = List.of(request.path().substring(1).split("/", -1));
        if (!ROOTS.contains(parts.getFirst())) {
            return Optional.empty();
        }
        if (parts.size() == 1) {
            return Optional.of(all(parts.getFirst(), request));
        }
        return parts.size() == 2
                ? Optional.ofNullable(checks().get(parts.get(1))).map(HealthChecks::one)
                : Optional.empty();
    }

    private static Answer one(BooleanSupplier check) {
        boolean healthy = check.getAsBoolean();
        return new Answer.Text(healthy ? 200 : 500, TEXT, healthy ? "ok" : "failed");
    }

    private Answer all(String root, ApiRequest request) {
        List<String> excluded = List.of(request.query("exclude").split(",", -1));
        List<String> lines = new ArrayList<>();
        boolean healthy = true;
        for (Map.Entry<String, BooleanSupplier> check : checks().entrySet()) {
            if (root.equals("livez") && check.getKey().equals(STORE)) {
                continue;
            }
            if (excluded.contains(check.getKey())) {
                lines.add("[+]%s excluded: ok".formatted(check.getKey()));
                continue;
            }
            boolean passed = check.getValue().getAsBoolean();
            healthy &= passed;
            lines.add("[%s]%s %s".formatted(passed ? "+" : "-", check.getKey(), passed ? "ok" : "failed"));
        }
        lines.add("%s check %s\n".formatted(root, healthy ? "passed" : "failed"));
        boolean brief = healthy && !request.query().containsKey("verbose");
        return new Answer.Text(healthy ? 200 : 500, TEXT, brief ? "ok" : String.join("\n", lines));
    }
}
