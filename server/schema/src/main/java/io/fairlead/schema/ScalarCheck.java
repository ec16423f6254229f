package io.fairlead.schema;

import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Whether a JSON value is one of a scalar type.
final class ScalarCheck {
    private static final Pattern QUANTITY =
            Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?");

    private static final String USUAL_TIME = "0000-00-00T00:00:00Z";

    private ScalarCheck() {}

    static Optional<String> fault(FieldType.Scalar type, JsonNode node, FieldCheck.Place place) {
        return switch (type) {
            case ANY -> Optional.empty();
            case STRING -> unless(node.isString(), type, node, place);
            case BOOL -> unless(node.isBoolean(), type, node, place);
            case DOUBLE -> unless(node.isNumber(), type, node, place);
            case INT32 -> unless(node.isIntegralNumber() && node.canConvertToInt(), type, node, place);
            case INT64 -> unless(node.isIntegralNumber() && node.canConvertToLong(), type, node, place);
            case INT_OR_STRING ->
                unless(
                        node.isString() || (node.isIntegralNumber() && node.canConvertToInt()),
                        node.isNumber() ? FieldType.Scalar.INT32 : FieldType.Scalar.STRING,
                        node,
                        place);
            case BYTES, QUANTITY, TIME, MICRO_TIME -> text(type, node, place);
        };
    }

    private static Optional<String> unless(boolean fits, FieldType.Scalar type, JsonNode node, FieldCheck.Place place) {
        return fits ? Optional.empty() : Optional.of(place.mismatch(node, type));
    }

    /// Types that are a string with a form of its own.
    private static Optional<String> text(FieldType.Scalar type, JsonNode node, FieldCheck.Place place) {
        if (type == FieldType.Scalar.QUANTITY) {
            return quantity(node, place);
        }
        if (!node.isString()) {
            return unless(false, FieldType.Scalar.STRING, node, place);
        }
        return type == FieldType.Scalar.BYTES ? base64(node.stringValue(), place) : time(node.stringValue(), place);
    }

    private static Optional<String> quantity(JsonNode node, FieldCheck.Place place) {
        boolean fits = node.isNumber()
                || (node.isString() && QUANTITY.matcher(node.stringValue()).matches());
        return fits
                ? Optional.empty()
                : Optional.of("%s: quantities must be a number with an optional suffix, like 500m, 2 or 64Mi"
                        .formatted(place.path()));
    }

    private static Optional<String> base64(String text, FieldCheck.Place place) {
        try {
            Base64.getDecoder().decode(text);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("%s: illegal base64 data".formatted(place.path()));
        }
    }

    private static Optional<String> time(String text, FieldCheck.Place place) {
        if (isUsualTime(text)) {
            return Optional.empty();
        }
        try {
            OffsetDateTime.parse(text);
            return Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.of(
                    "%s: parsing time \"%s\" as \"2006-01-02T15:04:05Z07:00\" failed".formatted(place.path(), text));
        }
    }

    /// True of whole seconds in UTC on a day that every month has, which is how the server itself tells the time: such
    /// a text is in every object, and to parse it costs more than all the rest of the check.
    private static boolean isUsualTime(String text) {
        return hasUsualForm(text)
                && isWithin(text, 5, 1, 12)
                && isWithin(text, 8, 1, 28)
                && isWithin(text, 11, 0, 23)
                && isWithin(text, 14, 0, 59)
                && isWithin(text, 17, 0, 59);
    }

    private static boolean hasUsualForm(String text) {
        boolean fits = text.length() == USUAL_TIME.length();
        for (int i = 0; fits && i < text.length(); i++) {
            char form = USUAL_TIME.charAt(i);
            char found = text.charAt(i);
            fits = form == '0' ? found >= '0' && found <= '9' : found == form;
        }
        return fits;
    }

    /// Whether the two digits at `at` are a number from `least` to `most`.
    private static boolean isWithin(String text, int at, int least, int most) {
        int number = 10 * (text.charAt(at) - '0') + text.charAt(at + 1) - '0';
        return number >= least && number <= most;
    }
}
