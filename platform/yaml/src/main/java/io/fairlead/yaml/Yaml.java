package io.fairlead.yaml;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;

/// YAML text to trees and back, as kubectl reads and writes it: YAML 1.1 by the rules of go-yaml v2.
///
/// JSON is read too. What comes out is a plain JSON tree: no tags, no aliases, no dates.
public final class Yaml {
    /// Longer texts are refused: a manifest is read whole into memory.
    static final int MAX_CHARACTERS = 16 << 20;

    private Yaml() {}

    /// The documents of the text, empty ones left out; a [ParseException] says at which line and column it breaks.
    public static List<JsonNode> parseAll(String text) {
        checkLength(text);
        return text.stripLeading().startsWith("{") ? jsonOrYaml(text) : YamlReader.documents(text);
    }

    /// The same, where a key may be there twice: the last one counts, and `duplicate` gets its path.
    public static List<JsonNode> parseAll(String text, Consumer<String> duplicate) {
        checkLength(text);
        return YamlReader.documents(text, duplicate);
    }

    private static void checkLength(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new ParseException("%d characters are too many: at most %d are read from one file"
                    .formatted(text.length(), MAX_CHARACTERS));
        }
    }

    /// The tree as YAML in block style, fields in their order. Texts that a reader of YAML 1.1 would take for
    /// something else (`yes`, `8080`, `2026-01-31`, `1:30`) are quoted.
    public static String format(JsonNode tree) {
        return YamlWriter.text(tree);
    }

    // A brace may open JSON or YAML in flow style, and JSON may hold what YAML forbids (tabs). So JSON first.
    private static List<JsonNode> jsonOrYaml(String text) {
        try {
            return List.of(Json.parse(text));
        } catch (ParseException notJson) {
            return flowStyle(text, notJson);
        }
    }

    private static List<JsonNode> flowStyle(String text, ParseException notJson) {
        try {
            return YamlReader.documents(text);
        } catch (ParseException notYaml) {
            throw looksLikeJson(text) ? located(notJson) : notYaml;
        }
    }

    private static boolean looksLikeJson(String text) {
        return text.stripLeading().substring(1).stripLeading().startsWith("\"");
    }

    private static ParseException located(ParseException fault) {
        if (!(fault.getCause() instanceof JacksonException cause)) {
            return fault;
        }
        TokenStreamLocation at = cause.getLocation();
        return new ParseException(
                "line %d, column %d: %s".formatted(at.getLineNr(), at.getColumnNr(), fault.getMessage()), cause);
    }
}
