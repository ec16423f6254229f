package io.fairlead.http;

import io.fairlead.api.Problem;
import io.fairlead.objects.StatusException;
import java.util.List;

/// What a request wants done about fields that no schema has or that are there twice (K27).
enum FieldPolicy {
    IGNORE,
    WARN,
    STRICT;

    static FieldPolicy of(ApiRequest request) {
        String word = request.query("fieldValidation");
        return switch (word) {
            case "Ignore" -> IGNORE;
            case "", "Warn" -> WARN;
            case "Strict" -> STRICT;
            default ->
                throw StatusException.invalidOption(
                        request.options(),
                        Problem.notSupported("fieldValidation", word, "\"Ignore\", \"Strict\", \"Warn\""));
        };
    }

    /// The warnings that the complaints about an object become; strictly, it is refused.
    List<String> warnings(String apiVersion, String kind, List<String> complaints) {
        return switch (this) {
            case IGNORE -> List.of();
            case WARN -> complaints;
            case STRICT -> {
                if (!complaints.isEmpty()) {
                    throw StatusException.unreadable(
                            apiVersion, kind, "strict decoding error: " + String.join(", ", complaints));
                }
                yield List.of();
            }
        };
    }
}
