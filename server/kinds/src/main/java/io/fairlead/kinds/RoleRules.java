package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of roles and of their bindings.
final class RoleRules {
    private RoleRules() {}

    static List<KindRules> all() {
        return List.of(
                new Role(Kind.ROLE),
                new Role(Kind.CLUSTER_ROLE),
                new Binding(Kind.ROLE_BINDING),
                new Binding(Kind.CLUSTER_ROLE_BINDING));
    }

    private record Role(Kind kind) implements KindRules {
        @Override
        public Optional<String> nameProblem(String name) {
            return RoleValidation.name(name);
        }

        @Override
        public void fillDefaults(ObjectNode role) {
            Tree.putNullIfAbsent(role, "rules");
        }

        @Override
        public boolean createsOnUpdate() {
            return true;
        }

        @Override
        public List<Problem> check(JsonNode role) {
            return RoleValidation.checkRole(role, kind.namespaced());
        }

        @Override
        public List<Column> columns() {
            return List.of(Column.NAME, Column.text("Created At", KindRules.field("metadata", "creationTimestamp")));
        }
    }

    private record Binding(Kind kind) implements KindRules {
        @Override
        public Optional<String> nameProblem(String name) {
            return RoleValidation.name(name);
        }

        @Override
        public void fillDefaults(ObjectNode binding) {
            Tree.putIfAbsent(Tree.object(binding, "roleRef"), "apiGroup", Kind.ROLE.group());
            for (ObjectNode subject : Tree.objects(binding, "subjects")) {
                if (Set.of("User", "Group").contains(Json.text(subject, "kind"))) {
                    Tree.putIfAbsent(subject, "apiGroup", Kind.ROLE.group());
                }
            }
        }

        @Override
        public boolean createsOnUpdate() {
            return true;
        }

        @Override
        public List<Problem> check(JsonNode binding) {
            return RoleValidation.checkBinding(binding);
        }

        @Override
        public List<Problem> checkChange(JsonNode old, JsonNode binding) {
            List<Problem> problems = new ArrayList<>(RoleValidation.checkBindingUpdate(old, binding));
            problems.addAll(check(binding));
            return problems;
        }

        @Override
        public List<Column> columns() {
            return List.of(
                    Column.NAME,
                    Column.text("Role", Binding::role),
                    Column.AGE,
                    Column.blank("Users", subjects("User")).wide(),
                    Column.blank("Groups", subjects("Group")).wide(),
                    Column.blank("ServiceAccounts", subjects("ServiceAccount")).wide());
        }

        private static String role(JsonNode binding) {
            return Json.text(binding, "roleRef", "kind") + "/" + Json.text(binding, "roleRef", "name");
        }

        private static Function<JsonNode, String> subjects(String kind) {
            return binding -> String.join(
                    ", ",
                    binding.path("subjects")
                            .valueStream()
                            .filter(subject -> Json.text(subject, "kind").equals(kind))
                            .map(Binding::subject)
                            .toList());
        }

        private static String subject(JsonNode subject) {
            String namespace = Json.text(subject, "namespace");
            return namespace.isEmpty() ? Json.text(subject, "name") : namespace + "/" + Json.text(subject, "name");
        }
    }
}
