package io.fairlead.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Which values some fields of an object must have: `spec.clusterIP!=None,metadata.name=web` (K12).
public record FieldSelector(List<Requirement> requirements) {

    /// One condition on one field that its kind lets clients select by.
    record Requirement(Function<JsonNode, String> field, boolean equal, String value) {
        boolean matches(JsonNode object) {
            return field.apply(object).equals(value) == equal;
        }
    }

    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    /// The selector that `text` spells; a 400 says which field of it cannot be selected by.
    public static FieldSelector parse(String text, Map<String, Function<JsonNode, String>> fields) {
        List<Requirement> requirements = new ArrayList<>();
        Stream.of(text.split(",")).filter(part -> !part.isBlank()).forEach(part -> {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw StatusException.badRequest(
                        "invalid field selector: '%s': write field=value or field!=value".formatted(part));
            }
            boolean not = part.charAt(equals - 1) == '!';
            boolean twice = part.startsWith("==", equals);
            String name = part.substring(0, not ? equals - 1 : equals).strip();
            Function<JsonNode, String> field = fields.get(name);
            if (field == null) {
                throw StatusException.badRequest("field label not supported: %s (these are: %s)"
                        .formatted(name, String.join(", ", new TreeSet<>(fields.keySet()))));
            }
            requirements.add(new Requirement(
                    field, !not, part.substring(equals + (twice ? 2 : 1)).strip()));
        });
        return new FieldSelector(requirements);
    }

    boolean matches(JsonNode object) {
        return requirements.stream().allMatch(requirement -> requirement.matches(object));
    }
}
