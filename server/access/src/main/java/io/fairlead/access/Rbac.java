package io.fairlead.access;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Who may do what, by roles and bindings: an index from each subject to the rules that are bound to it.
///
/// Immutable. A question costs a look-up for the user and for each of its groups, and a walk over their rules;
/// how many roles and bindings there are for others does not matter.
public final class Rbac {
    /// The four kinds of which the rights of a cluster are made.
    public record Policy(
            Collection<? extends JsonNode> roles,
            Collection<? extends JsonNode> clusterRoles,
            Collection<? extends JsonNode> roleBindings,
            Collection<? extends JsonNode> clusterRoleBindings) {}

    /// Rules that hold in one namespace, or everywhere where `namespace` is empty.
    private record Grant(String namespace, List<PolicyRule> rules) {
        boolean holdsIn(String asked) {
            return namespace.isEmpty() || namespace.equals(asked);
        }
    }

    /// No roles, so no rights.
    public static final Rbac NOTHING = of(new Policy(List.of(), List.of(), List.of(), List.of()));

    private final Map<String, List<Grant>> grants = new HashMap<>();
    private final Map<NamespacedName, List<PolicyRule>> rules = new HashMap<>();

    private Rbac(Policy policy) {
        new ClusterRoles(policy.clusterRoles()).all().forEach((name, said) -> rules.put(named(name), said));
        policy.roles().forEach(role -> rules.put(ObjectMeta.of(role).key(), PolicyRule.allOf(role)));
        policy.clusterRoleBindings().forEach(binding -> bind(binding, ""));
        policy.roleBindings()
                .forEach(binding -> bind(binding, ObjectMeta.of(binding).key().namespace()));
    }

    private static NamespacedName named(String clusterRole) {
        return new NamespacedName("", clusterRole);
    }

    public static Rbac of(Policy policy) {
        return new Rbac(policy);
    }

    private void bind(JsonNode binding, String namespace) {
        List<PolicyRule> bound = rulesOf(binding.path("roleRef"), namespace);
        if (bound.isEmpty()) {
            return; // the role is not there (yet), or says nothing
        }
        for (JsonNode subject : binding.path("subjects")) {
            grants.computeIfAbsent(subjectKey(subject, namespace), _ -> new ArrayList<>())
                    .add(new Grant(namespace, bound));
        }
    }

    /// Whether the role is there that a binding in this namespace refers to.
    public boolean knows(JsonNode roleRef, String namespace) {
        return rules.containsKey(key(roleRef, namespace));
    }

    private static NamespacedName key(JsonNode roleRef, String namespace) {
        String home = Json.text(roleRef, "kind").equals("Role") ? namespace : "";
        return new NamespacedName(home, Json.text(roleRef, "name"));
    }

    /// The rules of the role that a binding in this namespace refers to.
    public List<PolicyRule> rulesOf(JsonNode roleRef, String namespace) {
        return rules.getOrDefault(key(roleRef, namespace), List.of());
    }

    private static String subjectKey(JsonNode subject, String namespace) {
        String name = Json.text(subject, "name");
        return switch (Json.text(subject, "kind")) {
            case "User" -> userKey(name);
            case "Group" -> groupKey(name);
            case "ServiceAccount" -> {
                String home = Json.text(subject, "namespace");
                yield userKey(User.SERVICE_ACCOUNT_PREFIX + (home.isEmpty() ? namespace : home) + ":" + name);
            }
            default -> ""; // a subject of a kind that no user is of
        };
    }

    private static String userKey(String name) {
        return "user " + name;
    }

    private static String groupKey(String name) {
        return "group " + name;
    }

    public boolean allows(AccessRequest request) {
        return request.user().isMaster()
                || grantsOf(request.user(), namespaceOf(request.on()))
                        .anyMatch(rule -> rule.allows(request.verb(), request.on()));
    }

    /// All rules that hold for a user in a namespace.
    public List<PolicyRule> rulesFor(User user, String namespace) {
        if (user.isMaster()) {
            return PolicyRule.EVERYTHING;
        }
        return grantsOf(user, namespace).distinct().toList();
    }

    /// The rules among `wanted` that give more than the user has in that namespace.
    public List<PolicyRule> beyond(User user, String namespace, List<PolicyRule> wanted) {
        List<PolicyRule> own = rulesFor(user, namespace);
        return wanted.stream().filter(rule -> !Escalation.isCovered(own, rule)).toList();
    }

    private Stream<PolicyRule> grantsOf(User user, String namespace) {
        Stream<String> keys = Stream.concat(
                Stream.of(userKey(user.name())), user.groups().stream().map(Rbac::groupKey));
        return keys.flatMap(key -> grants.getOrDefault(key, List.of()).stream())
                .filter(grant -> grant.holdsIn(namespace))
                .flatMap(grant -> grant.rules().stream());
    }

    private static String namespaceOf(AccessRequest.Target on) {
        return switch (on) {
            case AccessRequest.Path _ -> "";
            case AccessRequest.Resource resource -> resource.namespace();
        };
    }
}
