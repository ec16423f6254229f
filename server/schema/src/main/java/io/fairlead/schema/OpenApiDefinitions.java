package io.fairlead.schema;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The schemas that the kinds of a server need: their own, those of their lists, and all these refer to.
final class OpenApiDefinitions {
    private final Schemas tables = Schemas.builtIn();
    private final OpenApiSchemas schemas;
    private final SortedMap<String, ObjectNode> definitions = new TreeMap<>();

    OpenApiDefinitions(OpenApiSchemas schemas) {
        this.schemas = schemas;
    }

    ObjectNode of(Collection<ApiResource> resources) {
        Set<Kind> kinds = new LinkedHashSet<>();
        resources.stream().flatMap(OpenApiDefinitions::kinds).forEach(kinds::add);
        kinds.forEach(this::addKind);
        addDeleteOptions(resources);
        addKind(new Kind("", "v1", "Status", "", false, List.of()));
        definitions.put(
                OpenApiSchemas.PATCH,
                Json.object().put("type", "object").put("description", "A change of an object, in one of four forms."));
        ObjectNode all = Json.object();
        all.setAll(definitions);
        return all;
    }

    private static Stream<Kind> kinds(ApiResource resource) {
        return Stream.concat(
                Stream.of(resource.kind(), listOf(resource.kind())),
                resource.parts().stream().map(ApiResource.Part::kind));
    }

    static Kind listOf(Kind kind) {
        return new Kind(kind.group(), kind.version(), kind.name() + "List", "", kind.namespaced(), List.of());
    }

    private void addKind(Kind kind) {
        tables.find(kind.apiVersion(), kind.name()).ifPresent(struct -> {
            add(struct);
            String name = SchemaGroup.isOld(kind.apiVersion()) ? addOld(struct) : struct.name();
            // One struct may be the form of a kind in several groups.
            ArrayNode kinds = schemaOf(name).withArrayProperty("x-kubernetes-group-version-kind");
            ObjectNode own = groupVersionKind(kind, kind.name());
            if (kinds.valueStream().noneMatch(own::equals)) {
                kinds.add(own);
            }
        });
    }

    /// The form of long ago is that of today, but for the selector: clients might leave it out, and kubectl would ask
    /// for it.
    private String addOld(StructType struct) {
        Field spec = struct.fields().get("spec");
        if (spec == null || !(spec.type() instanceof FieldType.Struct type)) {
            return struct.name();
        }
        StructType wished = tables.struct(type);
        ObjectNode wishedThen = schemas.struct(wished);
        wishedThen
                .withArrayProperty("required")
                .removeIf(field -> field.stringValue().equals("selector"));
        ObjectNode then = schemas.struct(struct);
        then.withObjectProperty("properties").set("spec", schemas.reference(old(wished)));
        definitions.putIfAbsent(old(wished), wishedThen);
        definitions.putIfAbsent(old(struct), then);
        return old(struct);
    }

    private static String old(StructType struct) {
        return struct.name().replace(".v1.", ".v1beta1.");
    }

    /// The options of a delete are a kind of every version.
    private void addDeleteOptions(Collection<ApiResource> resources) {
        StructType options = tables.find("v1", "DeleteOptions").orElseThrow();
        add(options);
        ArrayNode kinds = schemaOf(options.name()).putArray("x-kubernetes-group-version-kind");
        resources.stream()
                .map(ApiResource::kind)
                .map(kind -> groupVersionKind(kind, "DeleteOptions"))
                .distinct()
                .forEach(kinds::add);
    }

    private ObjectNode schemaOf(String name) {
        return java.util.Objects.requireNonNull(definitions.get(name));
    }

    static ObjectNode groupVersionKind(Kind kind, String name) {
        return Json.object().put("group", kind.group()).put("kind", name).put("version", kind.version());
    }

    private void add(StructType struct) {
        if (!definitions.containsKey(struct.name())) {
            definitions.put(struct.name(), schemas.struct(struct));
            struct.fields().values().forEach(field -> addMentioned(field.type()));
        }
    }

    private void addMentioned(FieldType type) {
        switch (type) {
            case FieldType.Struct struct -> add(tables.struct(struct));
            case FieldType.ListOf(var element, var _) -> addMentioned(element);
            case FieldType.MapOf(var value, var _) -> addMentioned(value);
            case FieldType.Scalar scalar -> {
                String name = OpenApiSchemas.NAMED.get(scalar);
                if (name != null) {
                    definitions.putIfAbsent(name, OpenApiSchemas.plain(scalar));
                }
            }
        }
    }
}
