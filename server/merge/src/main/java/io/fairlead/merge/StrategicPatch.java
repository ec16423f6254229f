package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.schema.Field;
import io.fairlead.schema.FieldType;
import io.fairlead.schema.Schemas;
import io.fairlead.schema.StructType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Strategic merge patch: a merge patch that knows how the lists of a kind merge, with directives for the rest.
///
/// ```
/// $patch: replace | delete | merge          what becomes of this object, or of this item of a list
/// $retainKeys: [a, b]                       all other fields go
/// $deleteFromPrimitiveList/args: [x]        these values go from a list of values
/// $setElementOrder/ports: [{port: 80}]      in which order the items stand afterwards
/// ```
final class StrategicPatch {
    static final String PATCH = "$patch";
    static final String RETAIN_KEYS = "$retainKeys";
    static final String DELETE_FROM = "$deleteFromPrimitiveList/";
    static final String SET_ORDER = "$setElementOrder/";

    private final Schemas schemas;

    StrategicPatch(Schemas schemas) {
        this.schemas = schemas;
    }

    ObjectNode apply(StructType type, ObjectNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            throw MergeException.malformed("a strategic merge patch is an object");
        }
        return merge(Optional.of(type), target, changes);
    }

    /// `type` is known for objects with known fields; in all others objects merge and lists are replaced.
    ObjectNode merge(Optional<StructType> type, ObjectNode target, ObjectNode patch) {
        String directive = Json.text(patch, PATCH);
        return switch (directive) {
            case "replace" -> (ObjectNode) withoutDirectives(patch);
            case "delete" -> Json.object();
            case "", "merge" -> mergeFields(type, target, patch);
            default -> throw MergeException.malformed("unknown patch type \"" + directive + "\" in " + PATCH);
        };
    }

    private ObjectNode mergeFields(Optional<StructType> type, ObjectNode target, ObjectNode patch) {
        retainKeys(target, patch);
        for (String name : fields(patch)) {
            Optional<Field> field = type.flatMap(known -> known.find(name));
            boolean listDirective = patch.has(DELETE_FROM + name) || patch.has(SET_ORDER + name);
            if (listDirective || field.filter(StrategicPatch::isMergedList).isPresent()) {
                new StrategicList(this, name, field).apply(target, patch);
            } else {
                set(field, target, name, patch.path(name));
            }
        }
        return target;
    }

    /// The fields that the patch is about, by itself or by a directive.
    private static Set<String> fields(ObjectNode patch) {
        return patch.propertyNames().stream()
                .filter(name -> !name.equals(PATCH) && !name.equals(RETAIN_KEYS))
                .map(name -> name.startsWith("$") && name.contains("/") ? name.substring(name.indexOf('/') + 1) : name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean isMergedList(Field field) {
        return field.type() instanceof FieldType.ListOf && field.patching().merge();
    }

    private void set(Optional<Field> field, ObjectNode target, String name, JsonNode value) {
        if (value.isNull()) {
            target.remove(name);
        } else if (value instanceof ObjectNode changes) {
            ObjectNode before = target.path(name) instanceof ObjectNode object ? object : Json.object();
            boolean deleted = Json.text(changes, PATCH).equals("delete");
            ObjectNode after = merge(field.flatMap(known -> struct(known.type())), before, changes);
            if (deleted) {
                target.remove(name);
            } else {
                target.set(name, after);
            }
        } else {
            target.set(name, withoutDirectives(value));
        }
    }

    Optional<StructType> struct(FieldType type) {
        return switch (type) {
            case FieldType.Struct struct -> Optional.of(schemas.struct(struct));
            case FieldType.ListOf(FieldType element, var _) -> struct(element);
            case FieldType.MapOf _, FieldType.Scalar _ -> Optional.empty();
        };
    }

    private static void retainKeys(ObjectNode target, ObjectNode patch) {
        if (!patch.has(RETAIN_KEYS)) {
            return;
        }
        Set<String> retained = new HashSet<>(Json.texts(patch, RETAIN_KEYS));
        boolean foreign = fields(patch).stream()
                .anyMatch(name -> !patch.path(name).isNull() && patch.has(name) && !retained.contains(name));
        if (!patch.path(RETAIN_KEYS).isArray() || foreign) {
            throw MergeException.malformed(RETAIN_KEYS + " must name every field that the patch sets");
        }
        new ArrayList<>(target.propertyNames())
                .stream().filter(name -> !retained.contains(name)).forEach(target::remove);
    }

    /// A part of a patch that becomes a part of the object as it stands.
    static JsonNode withoutDirectives(JsonNode patch) {
        JsonNode plain = patch.deepCopy();
        drop(plain);
        return plain;
    }

    private static void drop(JsonNode node) {
        if (node instanceof ObjectNode object) {
            new ArrayList<>(object.propertyNames())
                    .stream()
                            .filter(name ->
                                    isDirective(name) || object.path(name).isNull())
                            .forEach(object::remove);
        }
        if (node instanceof ArrayNode array) {
            array.removeIf(item -> item.has(PATCH));
        }
        node.forEach(StrategicPatch::drop);
    }

    private static boolean isDirective(String name) {
        return name.equals(PATCH)
                || name.equals(RETAIN_KEYS)
                || name.startsWith(DELETE_FROM)
                || name.startsWith(SET_ORDER);
    }
}
