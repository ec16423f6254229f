package io.fairlead.kinds;

import io.fairlead.api.Problem;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The rules for the kinds that say who may do what: roles and their bindings.
public final class RoleValidation {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final List<String> SUBJECTS = List.of("Group", "ServiceAccount", "User");

    private RoleValidation() {}

    /// A name that can stand in a path, such as `system:node`: these have no other rule.
    public static Optional<String> name(String name) {
        if (name.equals(".") || name.equals("..")) {
            return Optional.of("may not be '" + name + "'");
        }
        if (name.chars().anyMatch(c -> c < ' ' || c == 127 || c == '"' || c == '\\')) {
            return Optional.of("may not contain quotes, backslashes or control characters");
        }
        return name.contains("/") || name.contains("%") ? Optional.of("may not contain '/' or '%'") : Optional.empty();
    }

    public static List<Problem> checkRole(JsonNode role, boolean namespaced) {
        FieldValidation root = FieldValidation.of(role);
        root.objects("rules").forEach(rule -> checkRule(rule, namespaced));
        return root.problems();
    }

    private static void checkRule(FieldValidation rule, boolean namespaced) {
        if (rule.texts("verbs").isEmpty()) {
            rule.required("verbs", "verbs must contain at least one value");
        }
        rule.texts("resourceNames");
        boolean urls = !rule.texts("nonResourceURLs").isEmpty();
        boolean groups = !rule.texts("apiGroups").isEmpty();
        boolean resources = !rule.texts("resources").isEmpty();
        if (urls && namespaced) {
            rule.invalid("nonResourceURLs", "", "namespaced rules cannot apply to non-resource URLs");
        } else if (urls && (groups || resources)) {
            rule.invalid("nonResourceURLs", "", "rules cannot apply to both regular resources and non-resource URLs");
        } else if (!urls && !groups) {
            rule.required("apiGroups", "resource rules must supply at least one api group");
        } else if (!urls && !resources) {
            rule.required("resources", "resource rules must supply at least one resource");
        }
    }

    public static List<Problem> checkBinding(JsonNode binding) {
        FieldValidation root = FieldValidation.of(binding);
        FieldValidation role = root.object("roleRef");
        if (!role.text("apiGroup").equals(GROUP)) {
            role.add(Problem.notSupported("roleRef.apiGroup", role.text("apiGroup"), "\"" + GROUP + "\""));
        }
        if (role.choice("kind", List.of("ClusterRole", "Role")).isEmpty() && !role.has("kind")) {
            role.required("kind", "");
        }
        if (role.text("name").isEmpty()) {
            role.required("name", "");
        } else {
            role.check("name", role.text("name"), name(role.text("name")));
        }
        root.objects("subjects").forEach(RoleValidation::checkSubject);
        return root.problems();
    }

    private static void checkSubject(FieldValidation subject) {
        String kind = subject.choice("kind", SUBJECTS);
        if (kind.isEmpty() && !subject.has("kind")) {
            subject.required("kind", "");
        }
        if (subject.text("name").isEmpty()) {
            subject.required("name", "");
        }
        if (kind.equals("ServiceAccount") && subject.text("namespace").isEmpty()) {
            subject.required("namespace", "");
        }
    }

    public static List<Problem> checkBindingUpdate(JsonNode old, JsonNode binding) {
        JsonNode role = binding.path("roleRef");
        return role.equals(old.path("roleRef"))
                ? List.of()
                : List.of(Problem.invalid("roleRef", role, "cannot change roleRef"));
    }
}
