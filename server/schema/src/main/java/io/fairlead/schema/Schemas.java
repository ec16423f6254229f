package io.fairlead.schema;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// The fields of every built-in kind.
///
/// A group's table is read when a caller first asks for something in it, so that a server starts without it.
public final class Schemas {
    private static final Schemas BUILT_IN = new Schemas();

    private final Map<SchemaGroup, GroupTable> tables = new ConcurrentHashMap<>();
    // Every check of a body asks for the same few, many times.
    private final Map<String, StructType> structs = new ConcurrentHashMap<>();

    private Schemas() {}

    public static Schemas builtIn() {
        return BUILT_IN;
    }

    /// The struct of a kind: of `v1` and `Service`, say. `Status` and `DeleteOptions` are kinds of every version.
    public Optional<StructType> find(String apiVersion, String kindName) {
        return SchemaGroup.ofApiVersion(apiVersion)
                .flatMap(group -> kind(group, kindName).or(() -> kind(SchemaGroup.META, kindName)));
    }

    private Optional<StructType> kind(SchemaGroup group, String name) {
        GroupTable table = table(group);
        return table.kinds().contains(name)
                ? Optional.ofNullable(table.structs().get(name))
                : Optional.empty();
    }

    /// The struct that a field refers to. The tables refer to nothing that they lack (a test holds that).
    public StructType struct(FieldType.Struct reference) {
        return struct(reference.name());
    }

    StructType struct(String name) {
        StructType known = structs.get(name);
        if (known == null) {
            known = named(name, GroupTable::structs);
            structs.put(name, known);
        }
        return known;
    }

    /// The struct as protobuf sees it.
    StructType message(String name) {
        return named(name, GroupTable::messages);
    }

    private StructType named(String name, Function<GroupTable, Map<String, StructType>> part) {
        String shortName = name.substring(name.lastIndexOf('.') + 1);
        return SchemaGroup.ofStruct(name)
                .map(group -> part.apply(table(group)).get(shortName))
                .orElseThrow(() -> new IllegalArgumentException("no struct is called " + name));
    }

    GroupTable table(SchemaGroup group) {
        return tables.computeIfAbsent(group, Schemas::read);
    }

    private static GroupTable read(SchemaGroup group) {
        String resource = group.table() + ".txt";
        try (InputStream stream = Objects.requireNonNull(Schemas.class.getResourceAsStream(resource), resource);
                BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            List<String> lines = reader.readAllLines();
            return new StructReader(group).read(lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the table " + resource, e);
        }
    }
}
