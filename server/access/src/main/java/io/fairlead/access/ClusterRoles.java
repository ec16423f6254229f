package io.fairlead.access;

import io.fairlead.api.Json;
import io.fairlead.api.LabelSelector;
import io.fairlead.api.ObjectMeta;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What each ClusterRole says: its own rules, and those of the roles that its `aggregationRule` gathers by their
/// labels.
///
/// They are gathered here and not written into the role, so that they hold from the moment a label is there.
final class ClusterRoles {
    private final Map<String, JsonNode> roles = new HashMap<>();

    ClusterRoles(Collection<? extends JsonNode> roles) {
        roles.forEach(role -> this.roles.put(ObjectMeta.of(role).key().name(), role));
    }

    /// The rules by the names of the roles.
    Map<String, List<PolicyRule>> all() {
        Map<String, List<PolicyRule>> all = new HashMap<>();
        for (String name : roles.keySet()) {
            Set<PolicyRule> rules = new LinkedHashSet<>();
            gather(name, new HashSet<>(), rules);
            all.put(name, List.copyOf(rules));
        }
        return all;
    }

    /// A role that is gathered may gather others; each is `seen` once, also where they go in a circle.
    private void gather(String name, Set<String> seen, Set<PolicyRule> rules) {
        JsonNode role = roles.get(name);
        if (role == null || !seen.add(name)) {
            return;
        }
        rules.addAll(PolicyRule.allOf(role));
        for (JsonNode selector : Json.at(role, "aggregationRule", "clusterRoleSelectors")) {
            LabelSelector wanted = LabelSelector.of(selector);
            roles.forEach((other, gathered) -> {
                if (wanted.matches(ObjectMeta.of(gathered).labels())) {
                    gather(other, seen, rules);
                }
            });
        }
    }
}
