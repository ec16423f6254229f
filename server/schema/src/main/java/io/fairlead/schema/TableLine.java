package io.fairlead.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One line of a table: words, and after `|` a description.
record TableLine(List<String> words, String description) {
    TableLine {
        words = List.copyOf(words);
    }

    static TableLine of(String line) {
        int bar = line.indexOf(" | ");
        String words = bar < 0 ? line : line.substring(0, bar);
        return new TableLine(
                List.of(words.strip().split(" +")),
                bar < 0 ? "" : line.substring(bar + 3).strip());
    }

    String word(int index) {
        return words.get(index);
    }

    boolean has(String word) {
        return words.contains(word);
    }

    /// The field that the line tells of, in a table of the group.
    Field field(SchemaGroup group) {
        boolean required = word(0).endsWith("!");
        String name = required ? word(0).substring(0, word(0).length() - 1) : word(0);
        Field.Rules rules = new Field.Rules(
                required, required || has("zero"), option("default").orElse(""), patching());
        return new Field(name, Integer.parseInt(word(1)), type(word(2), group), rules, description);
    }

    private Field.Patching patching() {
        Optional<String> mergeKey = option("merge");
        return new Field.Patching(has("merge") || mergeKey.isPresent(), mergeKey.orElse(""), has("retain-keys"));
    }

    private Optional<String> option(String name) {
        return words.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst();
    }

    private FieldType type(String text, SchemaGroup group) {
        String inner = text.substring(1, text.length() - 1);
        return switch (text.charAt(0)) {
            case '[' -> new FieldType.ListOf(type(inner, group), semantics());
            case '{' -> new FieldType.MapOf(type(inner, group), has("atomic"));
            default -> single(text, group);
        };
    }

    private FieldType.ListSemantics semantics() {
        if (has("set")) {
            return new FieldType.ListSemantics.Set();
        }
        return option("keys")
                .<FieldType.ListSemantics>map(keys -> new FieldType.ListSemantics.Keyed(List.of(keys.split(","))))
                .orElseGet(FieldType.ListSemantics.Atomic::new);
    }

    private static FieldType single(String word, SchemaGroup group) {
        return Arrays.stream(FieldType.Scalar.values())
                .filter(scalar -> scalar.word().equals(word))
                .<FieldType>map(scalar -> scalar)
                .findFirst()
                .orElseGet(() -> struct(word, group));
    }

    private static FieldType struct(String word, SchemaGroup group) {
        int dot = word.lastIndexOf('.');
        SchemaGroup owner = dot < 0
                ? group
                : SchemaGroup.ofTable(word.substring(0, dot))
                        .orElseThrow(() -> new IllegalArgumentException("no table is called like in " + word));
        return new FieldType.Struct(owner.qualified(word.substring(dot + 1)));
    }
}
