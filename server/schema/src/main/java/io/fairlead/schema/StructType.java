package io.fairlead.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An object with known fields, under its OpenAPI name (`io.k8s.api.core.v1.ServiceSpec`).
///
/// `fields` are those of the JSON form, by name. An atomic struct has one owner in server-side apply.
public record StructType(
        String name, String description, boolean atomic, Map<String, Field> fields, List<Inlined> inlined) {

    /// Fields that are part of this struct in JSON, but a message of their own in protobuf, under this number.
    public record Inlined(int number, String struct) {}

    public StructType {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        inlined = List.copyOf(inlined);
    }

    public Optional<Field> find(String field) {
        return Optional.ofNullable(fields.get(field));
    }

    /// The last word of the name: `ServiceSpec`.
    public String shortName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
