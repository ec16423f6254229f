package io.fairlead.schema;

import io.fairlead.api.ParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON that may name a field twice, for requests that wish to be warned only.
public final class LenientJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final JsonMapper STRICT = MAPPER.rebuild()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private LenientJson() {}

    /// The tree, in which the last of each name counts, and a complaint for each that came again
    /// (`duplicate field "spec.type"`).
    public record Parsed(JsonNode tree, List<String> duplicates) {
        public Parsed {
            duplicates = List.copyOf(duplicates);
        }
    }

    /// A [ParseException] says where the text breaks.
    public static Parsed parse(byte[] text) {
        try {
            return new Parsed(STRICT.readTree(text), List.of());
        } catch (JacksonException e) {
            return withDuplicates(text); // rare, so only then is it read again
        }
    }

    private static Parsed withDuplicates(byte[] text) {
        try (JsonParser parser = MAPPER.createParser(text)) {
            JsonNode tree = MAPPER.readTree(text);
            List<String> duplicates = new ArrayList<>();
            parser.nextToken();
            walk(parser, "", duplicates);
            return new Parsed(tree, duplicates);
        } catch (JacksonException e) {
            throw new ParseException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /// Stands at the first token of a value, leaves at its last. The parser itself bounds the depth.
    private static void walk(JsonParser parser, String path, List<String> duplicates) {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                walk(parser, path + "[" + i + "]", duplicates);
            }
        }
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Set<String> seen = new HashSet<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
                if (!seen.add(name)) {
                    duplicates.add("duplicate field \"%s\"".formatted(name));
                }
                parser.nextToken();
                walk(parser, name, duplicates);
            }
        }
    }
}
