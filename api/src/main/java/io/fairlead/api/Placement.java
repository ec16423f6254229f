package io.fairlead.api;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Which nodes a pod may be on: those with all labels of `nodeSelector`, of one of the `terms` where `required`, and
/// without a taint that it does not tolerate.
public record Placement(
        Map<String, String> nodeSelector, boolean required, List<Term> terms, List<Toleration> tolerations) {

    /// One way to be acceptable: all that it asks for holds. One that asks for nothing accepts no node.
    public record Term(List<Requirement> labels, List<Requirement> fields) {
        static Term of(JsonNode json) {
            return new Term(
                    Json.list(json, Requirement::of, "matchExpressions"),
                    Json.list(json, Requirement::of, "matchFields"));
        }

        boolean accepts(Node node) {
            return !(labels.isEmpty() && fields.isEmpty())
                    && labels.stream()
                            .allMatch(r -> r.holds(node.metadata().labels().get(r.key)))
                    // The name is the only field that the API lets a term ask for.
                    && fields.stream().allMatch(r -> r.key.equals("metadata.name") && r.holds(node.name()));
        }
    }

    /// What is asked of one label or field.
    public record Requirement(String key, String operator, List<String> values) {
        private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

        static Requirement of(JsonNode json) {
            return new Requirement(Json.text(json, "key"), Json.text(json, "operator"), Json.texts(json, "values"));
        }

        boolean holds(@Nullable String value) {
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                case "Gt" -> value != null && compared(value) > 0;
                case "Lt" -> value != null && compared(value) < 0;
                default -> false; // what we do not understand, we cannot promise
            };
        }

        /// How the number compares to the wanted one; 0 where one of them is none.
        private int compared(String value) {
            OptionalLong wanted = number(values.isEmpty() ? "" : values.getFirst());
            OptionalLong actual = number(value);
            return wanted.isPresent() && actual.isPresent() ? Long.compare(actual.getAsLong(), wanted.getAsLong()) : 0;
        }

        private static OptionalLong number(String text) {
            return NUMBER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        }
    }

    /// Of the spec of a pod, alone or in a template.
    public static Placement of(JsonNode spec) {
        JsonNode required = Json.at(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return new Placement(
                Json.map(spec, "nodeSelector"),
                required.isObject(),
                Json.list(required, Term::of, "nodeSelectorTerms"),
                Json.list(spec, Toleration::of, "tolerations"));
    }

    /// True if the labels and the name of the node are as wanted.
    public boolean selects(Node node) {
        return node.metadata().labels().entrySet().containsAll(nodeSelector.entrySet())
                && (!required || terms.stream().anyMatch(term -> term.accepts(node)));
    }

    /// The taints of the node that keep the pod from being placed there.
    public Stream<Node.Taint> untolerated(Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect().equals(Node.Taint.NO_SCHEDULE)
                        || taint.effect().equals(Node.Taint.NO_EXECUTE))
                .filter(taint -> tolerations.stream().noneMatch(t -> t.tolerates(taint)));
    }
}
