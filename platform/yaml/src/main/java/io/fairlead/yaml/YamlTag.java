package io.fairlead.yaml;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What a scalar means, given its tag and its quotes.
final class YamlTag {
    private static final String PREFIX = "tag:yaml.org,2002:";

    private YamlTag() {}

    static JsonNode value(ScalarEvent scalar) {
        @Nullable String tag = scalar.getTag();
        if (tag == null || tag.equals("!")) {
            return scalar.isPlain() && tag == null ? plain(scalar) : text(scalar.getValue());
        }
        return switch (tag.startsWith(PREFIX) ? tag.substring(PREFIX.length()) : "") {
            case "null", "bool", "int", "float" -> demanded(scalar, tag.substring(PREFIX.length()));
            case "binary" -> binary(scalar);
            default -> text(scalar.getValue());
        };
    }

    /// Whether a key is the merge key `<<`.
    static boolean isMerge(Event key) {
        return key instanceof ScalarEvent scalar
                && scalar.isPlain()
                && scalar.getTag() == null
                && scalar.getValue().equals("<<");
    }

    private static JsonNode plain(ScalarEvent scalar) {
        if (YamlScalar.isNotFinite(scalar.getValue())) {
            throw new YamlFault(scalar.getStartMark(), "%s has no place in JSON".formatted(scalar.getValue()));
        }
        return YamlScalar.value(scalar.getValue());
    }

    private static JsonNode demanded(ScalarEvent scalar, String type) {
        JsonNode value = plain(scalar);
        boolean fits = switch (type) {
            case "null" -> value.isNull();
            case "bool" -> value.isBoolean();
            case "int" -> value.isIntegralNumber();
            default -> value.isNumber();
        };
        if (!fits) {
            throw new YamlFault(scalar.getStartMark(), "\"%s\" is no %s".formatted(scalar.getValue(), type));
        }
        return value;
    }

    private static JsonNode binary(ScalarEvent scalar) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(scalar.getValue());
            return text(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new YamlFault(scalar.getStartMark(), "!!binary takes base64: " + e.getMessage());
        }
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.stringNode(value);
    }
}
