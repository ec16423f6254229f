package io.fairlead.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Reads a table of structs:
///
/// ```
/// kind Service listed | A name and an address for a set of pods.
///   metadata 1 meta.v1.ObjectMeta
///   spec 2 ServiceSpec | What is wished of the Service.
///
/// type ServiceSpec
///   ports 1 [ServicePort] keys=port,protocol merge=port | The ports that the Service answers on.
///   selector 2 {string} atomic
/// ```
///
/// A line that begins at the margin opens a struct; the indented ones below it are its fields: name (with `!` if it is
/// required), number, type, rules, and after `|` the description. The rule `zero` means that a zero counts. `+` in
/// place of a name takes in the fields of a
/// struct that is a message of its own in protobuf.
final class StructReader {
    private final SchemaGroup group;
    private final Map<String, StructType> structs = new LinkedHashMap<>();
    private final List<String> kinds = new ArrayList<>();

    StructReader(SchemaGroup group) {
        this.group = group;
    }

    GroupTable read(List<String> lines) {
        List<String> block = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (!line.startsWith(" ") && !block.isEmpty()) {
                close(block);
            }
            block.add(line);
        }
        close(block);
        return new GroupTable(flattened(), structs, kinds);
    }

    private void close(List<String> block) {
        TableLine head = TableLine.of(block.getFirst());
        boolean kind = head.word(0).equals("kind");
        String name = head.word(1);
        Map<String, Field> fields = new LinkedHashMap<>();
        List<StructType.Inlined> inlined = new ArrayList<>();
        if (kind) {
            kinds.add(name);
            typeFields().forEach(field -> fields.put(field.name(), field));
        }
        for (String text : block.subList(1, block.size())) {
            TableLine line = TableLine.of(text);
            if (line.word(0).equals("+")) {
                inlined.add(new StructType.Inlined(Integer.parseInt(line.word(1)), group.qualified(line.word(2))));
            } else {
                Field field = line.field(group);
                fields.put(field.name(), field);
            }
        }
        structs.put(
                name, new StructType(group.qualified(name), head.description(), head.has("atomic"), fields, inlined));
        if (head.has("listed")) {
            addListOf(name);
        }
        block.clear();
    }

    private static List<Field> typeFields() {
        return List.of(
                new Field(
                        "apiVersion",
                        0,
                        FieldType.Scalar.STRING,
                        Field.Rules.NONE,
                        "The group and version that this object is written in."),
                new Field("kind", 0, FieldType.Scalar.STRING, Field.Rules.NONE, "The kind of this object."));
    }

    private void addListOf(String kind) {
        String name = kind + "List";
        Map<String, Field> fields = new LinkedHashMap<>();
        typeFields().forEach(field -> fields.put(field.name(), field));
        fields.put(
                "metadata",
                new Field(
                        "metadata",
                        1,
                        new FieldType.Struct(SchemaGroup.META.qualified("ListMeta")),
                        Field.Rules.NONE,
                        "The revision and the place of this page of the list."));
        fields.put(
                "items",
                new Field(
                        "items",
                        2,
                        new FieldType.ListOf(
                                new FieldType.Struct(group.qualified(kind)), new FieldType.ListSemantics.Atomic()),
                        Field.Rules.REQUIRED,
                        "The objects."));
        structs.put(
                name,
                new StructType(
                        group.qualified(name), "A list of objects of kind " + kind + ".", false, fields, List.of()));
        kinds.add(name);
    }

    private Map<String, StructType> flattened() {
        Map<String, StructType> all = new LinkedHashMap<>();
        structs.forEach((name, struct) -> all.put(name, struct.inlined().isEmpty() ? struct : flattened(struct)));
        return all;
    }

    private StructType flattened(StructType struct) {
        Map<String, Field> fields = new LinkedHashMap<>(struct.fields());
        for (StructType.Inlined part : struct.inlined()) {
            String name = part.struct().substring(part.struct().lastIndexOf('.') + 1);
            fields.putAll(
                    flattened(Objects.requireNonNull(structs.get(name), name)).fields());
        }
        return new StructType(struct.name(), struct.description(), struct.atomic(), fields, struct.inlined());
    }
}
