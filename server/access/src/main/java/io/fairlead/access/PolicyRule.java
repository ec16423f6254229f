package io.fairlead.access;

import io.fairlead.api.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// One rule of a role: what may be done with what. An empty list of names means all names.
public record PolicyRule(
        List<String> verbs, List<String> groups, List<String> resources, List<String> names, List<String> paths) {
    private static final String ALL = "*";

    /// Every verb on every object and every path.
    public static final List<PolicyRule> EVERYTHING = List.of(
            new PolicyRule(List.of(ALL), List.of(ALL), List.of(ALL), List.of(), List.of()),
            new PolicyRule(List.of(ALL), List.of(), List.of(), List.of(), List.of(ALL)));

    public PolicyRule {
        verbs = List.copyOf(verbs);
        groups = List.copyOf(groups);
        resources = List.copyOf(resources);
        names = List.copyOf(names);
        paths = List.copyOf(paths);
    }

    /// The rules of a role, whatever is wrong with them.
    public static List<PolicyRule> allOf(JsonNode role) {
        return Json.list(role, PolicyRule::of, "rules");
    }

    private static PolicyRule of(JsonNode rule) {
        return new PolicyRule(
                Json.texts(rule, "verbs"),
                Json.texts(rule, "apiGroups"),
                Json.texts(rule, "resources"),
                Json.texts(rule, "resourceNames"),
                Json.texts(rule, "nonResourceURLs"));
    }

    boolean allows(String verb, AccessRequest.Target on) {
        return (verbs.contains(ALL) || verbs.contains(verb))
                && switch (on) {
                    case AccessRequest.Path(String path) -> paths.stream().anyMatch(known -> covers(known, path));
                    case AccessRequest.Resource resource -> covers(resource);
                };
    }

    private boolean covers(AccessRequest.Resource resource) {
        return (groups.contains(ALL) || groups.contains(resource.group()))
                && resources.stream().anyMatch(known -> covers(known, resource))
                && (names.isEmpty() || names.contains(resource.name()));
    }

    /// `*`, `pods`, `pods/log`, or `*/log`: the log of everything.
    private static boolean covers(String known, AccessRequest.Resource resource) {
        return known.equals(ALL)
                || known.equals(resource.qualified())
                || (!resource.subresource().isEmpty() && known.equals("*/" + resource.subresource()));
    }

    /// A star stands for the rest, and only at the end.
    private static boolean covers(String known, String path) {
        return known.equals(path) || (known.endsWith(ALL) && path.startsWith(known.substring(0, known.length() - 1)));
    }

    /// As the reviews show it: a rule about resources, or one about paths.
    public ObjectNode json() {
        ObjectNode json = Json.object();
        put(json, "verbs", verbs);
        if (paths.isEmpty()) {
            put(json, "apiGroups", groups);
            put(json, "resources", resources);
            if (!names.isEmpty()) {
                put(json, "resourceNames", names);
            }
        } else {
            put(json, "nonResourceURLs", paths);
        }
        return json;
    }

    private static void put(ObjectNode json, String field, List<String> values) {
        ArrayNode array = json.putArray(field);
        values.forEach(array::add);
    }
}
