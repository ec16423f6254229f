package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// One fault in what a user wrote: the path of the field, and a sentence that says the rule.
///
/// `reason` is the word clients match on (`FieldValueInvalid`, `FieldValueRequired`, …).
public record Problem(Reason reason, String field, String sentence) {

    /// The causes of a 422, by the names the Kubernetes API gives them.
    public enum Reason {
        REQUIRED("FieldValueRequired"),
        INVALID("FieldValueInvalid"),
        DUPLICATE("FieldValueDuplicate"),
        NOT_SUPPORTED("FieldValueNotSupported"),
        FORBIDDEN("FieldValueForbidden"),
        TOO_MANY("FieldValueTooMany");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    public static Problem required(String field, String rule) {
        return new Problem(Reason.REQUIRED, field, rule.isEmpty() ? "Required value" : "Required value: " + rule);
    }

    public static Problem invalid(String field, Object value, String rule) {
        return new Problem(Reason.INVALID, field, "Invalid value: " + shown(value) + ": " + rule);
    }

    public static Problem duplicate(String field, Object value) {
        return new Problem(Reason.DUPLICATE, field, "Duplicate value: " + shown(value));
    }

    public static Problem notSupported(String field, Object value, String supported) {
        return new Problem(
                Reason.NOT_SUPPORTED, field, "Unsupported value: " + shown(value) + ": supported values: " + supported);
    }

    public static Problem forbidden(String field, String rule) {
        return new Problem(Reason.FORBIDDEN, field, "Forbidden: " + rule);
    }

    public static Problem tooMany(String field, int count, int most) {
        return new Problem(Reason.TOO_MANY, field, "Too many: %d: must have at most %d items".formatted(count, most));
    }

    private static String shown(Object value) {
        return switch (value) {
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            case JsonNode json when json.isContainer() -> json.toString();
            case JsonNode json -> "\"" + json.asString("") + "\"";
            default -> "\"" + value + "\"";
        };
    }

    @Override
    public String toString() {
        return field + ": " + sentence;
    }
}
