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

    /// What an object must be, what may become of it, and what its writer should know.
    record Checks(
            Function<JsonNode, List<Problem>> object,
            BiFunction<JsonNode, JsonNode, List<Problem>> change,
            Function<JsonNode, List<String>> warnings) {
        static final Checks NONE = new Checks(object -> List.of(), (old, object) -> List.of(), object -> List.of());
    }

    static KindRow of(Kind kind, Column... columns) {
        return new KindRow(kind, List.of(columns), Set.of(), KindRules.metadataFields(), Checks.NONE);
    }

    KindRow with(String... names) {
        return new KindRow(kind, columns, Set.of(names), fields, checks);
    }

    KindRow checked(Function<JsonNode, List<Problem>> object) {
        return new KindRow(kind, columns, subresources, fields, new Checks(object, checks.change, checks.warnings));
    }

    KindRow checkedChange(BiFunction<JsonNode, JsonNode, List<Problem>> change) {
        return new KindRow(kind, columns, subresources, fields, new Checks(checks.object, change, checks.warnings));
    }

    KindRow warned(Function<JsonNode, List<String>> warnings) {
        return new KindRow(kind, columns, subresources, fields, new Checks(checks.object, checks.change, warnings));
    }

    @Override
    public List<String> warnings(JsonNode object) {
        return checks.warnings.apply(object);
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
