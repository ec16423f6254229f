package io.fairlead.kinds;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The row of a kind about which little is particular, put together from that little.
record KindRow(
        Kind kind,
        List<Column> columns,
        Set<String> subresources,
        Map<String, Function<JsonNode, String>> fields,
        Checks checks)
        implements KindRules {

    /// What an object must be, and what may become of it.
    record Checks(Function<JsonNode, List<Problem>> object, BiFunction<JsonNode, JsonNode, List<Problem>> change) {
        static final Checks NONE = new Checks(object -> List.of(), (old, object) -> List.of());
    }

    static KindRow of(Kind kind, Column... columns) {
        return new KindRow(kind, List.of(columns), Set.of(), KindRules.metadataFields(), Checks.NONE);
    }

    KindRow with(String... names) {
        return new KindRow(kind, columns, Set.of(names), fields, checks);
    }

    KindRow checked(Function<JsonNode, List<Problem>> object) {
        return new KindRow(kind, columns, subresources, fields, new Checks(object, checks.change));
    }

    KindRow checkedChange(BiFunction<JsonNode, JsonNode, List<Problem>> change) {
        return new KindRow(kind, columns, subresources, fields, new Checks(checks.object, change));
    }

    @Override
    public List<Problem> check(JsonNode object) {
        return checks.object.apply(object);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode object) {
        return checks.change.apply(old, object);
    }
}
