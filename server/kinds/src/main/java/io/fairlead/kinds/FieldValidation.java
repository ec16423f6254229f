package io.fairlead.kinds;

import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// A place in an object that is being checked: reads its fields, and notes each one that is not of its type.
///
/// All places of one object share one set of problems, so a check reports every fault, not the first.
final class FieldValidation {
    private final JsonNode node;
    private final String path;
    private final Set<Problem> problems;

    private FieldValidation(JsonNode node, String path, Set<Problem> problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    static FieldValidation of(JsonNode object) {
        return new FieldValidation(object, "", new LinkedHashSet<>());
    }

    List<Problem> problems() {
        return List.copyOf(problems);
    }

    /// What stands here, as text; empty where it is no text.
    String text() {
        return node.isString() ? node.stringValue() : "";
    }

    boolean has(String field) {
        JsonNode value = node.path(field);
        return !value.isMissingNode() && !value.isNull();
    }

    /// True if a field says something: clients write out what they leave empty, as `{}` or `[]`.
    boolean says(String field) {
        return has(field)
                && !(node.path(field).isContainer() && node.path(field).isEmpty());
    }

    FieldValidation object(String field) {
        JsonNode value = node.path(field);
        return place(field, fits(field, value.isObject(), "an object") ? value : MissingNode.getInstance());
    }

    List<FieldValidation> items(String field) {
        JsonNode value = node.path(field);
        List<FieldValidation> items = new ArrayList<>();
        if (fits(field, value.isArray(), "a list")) {
            for (JsonNode item : value) {
                items.add(new FieldValidation(item, path(field) + "[" + items.size() + "]", problems));
            }
        }
        return items;
    }

    /// The items of a list of objects; what is none is a problem, and left out.
    List<FieldValidation> objects(String field) {
        List<FieldValidation> items = items(field);
        items.removeIf(item -> !item.isOf(item.node.isObject(), "an object"));
        return items;
    }

    /// The items of a list of texts; what is none is a problem, and left out.
    List<FieldValidation> texts(String field) {
        List<FieldValidation> items = items(field);
        items.removeIf(item -> !item.isOf(item.node.isString(), "a text"));
        return items;
    }

    String text(String field) {
        JsonNode value = node.path(field);
        return fits(field, value.isString(), "a text") ? value.stringValue() : "";
    }

    int number(String field, int otherwise) {
        JsonNode value = node.path(field);
        boolean whole = value.isIntegralNumber() && value.canConvertToInt();
        return fits(field, whole, "a whole number") ? value.intValue() : otherwise;
    }

    boolean flag(String field, boolean otherwise) {
        JsonNode value = node.path(field);
        return fits(field, value.isBoolean(), "true or false") ? value.booleanValue() : otherwise;
    }

    /// A field that holds a number or a text, as `targetPort` does.
    JsonNode either(String field) {
        JsonNode value = node.path(field);
        boolean whole = value.isIntegralNumber() && value.canConvertToInt();
        return fits(field, whole || value.isString(), "a whole number or a text") ? value : MissingNode.getInstance();
    }

    Map<String, String> map(String field) {
        JsonNode value = node.path(field);
        Map<String, String> map = new LinkedHashMap<>();
        if (fits(field, value.isObject(), "an object")) {
            FieldValidation place = place(field, value);
            value.propertyNames().forEach(key -> map.put(key, place.text(key)));
        }
        return map;
    }

    /// Notes it if what stands here is none of a few.
    void checkChoice(List<String> choices) {
        if (!choices.contains(text())) {
            add(Problem.notSupported(path, text(), "\"" + String.join("\", \"", choices) + "\""));
        }
    }

    /// The text of a field that must be one of a few.
    String choice(String field, List<String> choices) {
        String value = text(field);
        if (!value.isEmpty() && !choices.contains(value)) {
            add(Problem.notSupported(path(field), value, "\"" + String.join("\", \"", choices) + "\""));
        }
        return value;
    }

    /// Notes it if a list has more items than it may.
    void checkCount(String field, int most) {
        int count = node.path(field).size();
        if (count > most) {
            add(Problem.tooMany(path(field), count, most));
        }
    }

    void checkNotNegative(String field) {
        int value = number(field, 0);
        if (value < 0) {
            invalid(field, value, "must be greater than or equal to 0");
        }
    }

    void required(String field, String rule) {
        add(Problem.required(path(field), rule));
    }

    void invalid(String field, Object value, String rule) {
        add(Problem.invalid(path(field), value, rule));
    }

    void invalid(String rule) {
        add(Problem.invalid(path, text(), rule));
    }

    /// Notes the rule that what stands here breaks, if it does.
    void check(Optional<String> broken) {
        broken.ifPresent(this::invalid);
    }

    void duplicate() {
        add(Problem.duplicate(path, text()));
    }

    /// Notes the broken rule, if one is.
    void check(String field, Object value, Optional<String> broken) {
        broken.ifPresent(rule -> invalid(field, value, rule));
    }

    void checkPort(String field, int port) {
        if (port < 1 || port > 65535) {
            invalid(field, port, "must be between 1 and 65535, inclusive");
        }
    }

    void duplicate(String field, Object value) {
        add(Problem.duplicate(path(field), value));
    }

    void forbidden(String field, String rule) {
        add(Problem.forbidden(path(field), rule));
    }

    void forbidIfPresent(String field, String rule) {
        if (has(field)) {
            forbidden(field, rule);
        }
    }

    /// A field that is read twice is wrong once.
    void add(Problem problem) {
        problems.add(problem);
    }

    String path(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /// Where this is, as messages name it.
    String place() {
        return path;
    }

    private FieldValidation place(String field, JsonNode value) {
        return new FieldValidation(value, path(field), problems);
    }

    private boolean isOf(boolean rightType, String type) {
        if (!rightType) {
            add(Problem.invalid(path, shown(node), "must be " + type));
        }
        return rightType;
    }

    private boolean fits(String field, boolean rightType, String type) {
        if (!rightType && has(field)) {
            invalid(field, shown(node.path(field)), "must be " + type);
        }
        return rightType;
    }

    private static Object shown(JsonNode value) {
        return value.isNumber() ? value.numberValue() : value.isString() ? value.stringValue() : value.toString();
    }
}
