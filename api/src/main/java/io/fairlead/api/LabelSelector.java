package io.fairlead.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which labels an object must have: all requirements hold, so none means every object.
public record LabelSelector(List<Requirement> requirements) {
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private static final String KEY = "([^\\s,()=!]+)";
    private static final Pattern PRESENCE = Pattern.compile("(!?)\\s*" + KEY);
    private static final Pattern EQUALITY = Pattern.compile(KEY + "\\s*(==?|!=)\\s*([^\\s,()=!]*)");
    private static final Pattern MEMBERSHIP = Pattern.compile(KEY + "\\s+(in|notin)\\s*\\(([^()]*)\\)");

    /// What is asked of one label.
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST
    }

    /// One condition; `values` is empty where only presence counts.
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                // A label that is not there is not any of the values either.
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }

        @Override
        public String toString() {
            return switch (operator) {
                case IN -> values.size() == 1 ? key + "=" + values.getFirst() : key + " in " + list();
                case NOT_IN -> values.size() == 1 ? key + "!=" + values.getFirst() : key + " notin " + list();
                case EXISTS -> key;
                case DOES_NOT_EXIST -> "!" + key;
            };
        }

        private String list() {
            return "(" + String.join(",", values) + ")";
        }
    }

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /// The selector that `text` spells, as in `?labelSelector=`; a [ParseException] says what is wrong with it.
    public static LabelSelector parse(String text) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        return new LabelSelector(
                split(text).stream().map(LabelSelector::requirement).toList());
    }

    /// All of these labels, with these values.
    public static LabelSelector of(Map<String, String> labels) {
        return new LabelSelector(labels.entrySet().stream()
                .map(label -> new Requirement(label.getKey(), Operator.IN, List.of(label.getValue())))
                .toList());
    }

    /// The selector of a workload: `matchLabels` and `matchExpressions`.
    public static LabelSelector of(JsonNode json) {
        List<Requirement> all = new ArrayList<>(of(Json.map(json, "matchLabels")).requirements);
        json.path("matchExpressions")
                .valueStream()
                .forEach(e -> all.add(new Requirement(
                        Json.text(e, "key"), operator(Json.text(e, "operator")), Json.texts(e, "values"))));
        return new LabelSelector(all);
    }

    /// The same as `matchLabels` and `matchExpressions`.
    public ObjectNode tree() {
        ObjectNode selector = Json.object();
        for (Requirement requirement : requirements) {
            if (requirement.operator == Operator.IN && requirement.values.size() == 1) {
                selector.withObjectProperty("matchLabels").put(requirement.key, requirement.values.getFirst());
            } else {
                selector.withArrayProperty("matchExpressions").add(expression(requirement));
            }
        }
        return selector;
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    /// The parts between commas; a comma inside the brackets of `in (a, b)` does not end one.
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        boolean inBrackets = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            inBrackets = c == '(' || (inBrackets && c != ')');
            if (c == ',' && !inBrackets) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static Requirement requirement(String text) {
        Requirement requirement = find(text.strip())
                .orElseThrow(() -> new ParseException("not a label requirement: '" + text.strip()
                        + "': write key, !key, key=value, key!=value, key in (a,b) or key notin (a,b)"));
        NameValidation.qualifiedName(requirement.key).ifPresent(rule -> fail(requirement.key, rule));
        requirement.values.forEach(value -> NameValidation.labelValue(value).ifPresent(rule -> fail(value, rule)));
        return requirement;
    }

    private static Optional<Requirement> find(String text) {
        Matcher equality = EQUALITY.matcher(text);
        if (equality.matches()) {
            Operator operator = equality.group(2).equals("!=") ? Operator.NOT_IN : Operator.IN;
            return Optional.of(new Requirement(equality.group(1), operator, List.of(equality.group(3))));
        }
        Matcher membership = MEMBERSHIP.matcher(text);
        if (membership.matches()) {
            Operator operator = membership.group(2).equals("in") ? Operator.IN : Operator.NOT_IN;
            List<String> values = Stream.of(membership.group(3).split(",", -1))
                    .map(String::strip)
                    .toList();
            return Optional.of(new Requirement(membership.group(1), operator, values));
        }
        Matcher presence = PRESENCE.matcher(text);
        if (presence.matches()) {
            Operator operator = presence.group(1).isEmpty() ? Operator.EXISTS : Operator.DOES_NOT_EXIST;
            return Optional.of(new Requirement(presence.group(2), operator, List.of()));
        }
        return Optional.empty();
    }

    private static void fail(String word, String rule) {
        throw new ParseException("label selector: '" + word + "': " + rule);
    }

    private static ObjectNode expression(Requirement requirement) {
        ObjectNode expression = Json.object()
                .put("key", requirement.key)
                .put(
                        "operator",
                        switch (requirement.operator) {
                            case IN -> "In";
                            case NOT_IN -> "NotIn";
                            case EXISTS -> "Exists";
                            case DOES_NOT_EXIST -> "DoesNotExist";
                        });
        requirement.values.forEach(expression.withArrayProperty("values")::add);
        return expression;
    }

    private static Operator operator(String text) {
        return switch (text) {
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> Operator.IN;
        };
    }

    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }
}
