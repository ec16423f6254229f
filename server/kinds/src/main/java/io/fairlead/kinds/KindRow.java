package io.fairlead.kinds;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The row of a kind about which little is particular, put together from that little.
record KindRow(
        Kind kind,
        List<Column> columns,
        Set<String> subresources,
        Map<String, Function<JsonNode, String>> fields,
        Checks checks,
        Making making,
        Set<Trait> traits)
        implements KindRules {

    /// What holds of few kinds.
    enum Trait {
        GENERATION,
        CREATED_BY_UPDATE,
        NEEDS_VERSION,
        SHOWN_WITH_ALL,
        ANSWERS_DELETED_OBJECT
    }

    /// What an object must be, and what may become of it.
    record Checks(
            Function<JsonNode, List<Problem>> object,
            BiFunction<JsonNode, JsonNode, List<Problem>> change,
            Function<JsonNode, List<Problem>> status) {
        static final Checks NONE = new Checks(object -> List.of(), (old, object) -> List.of(), object -> List.of());
    }

    /// What the server writes into an object, and what it says about it.
    record Making(
            Consumer<ObjectNode> created, Consumer<ObjectNode> defaults, Function<JsonNode, List<String>> warnings) {
        static final Making NOTHING = new Making(object -> {}, object -> {}, object -> List.of());
    }

    static KindRow of(Kind kind, Column... columns) {
        return new KindRow(
                kind, List.of(columns), Set.of(), KindRules.metadataFields(), Checks.NONE, Making.NOTHING, Set.of());
    }

    KindRow with(String... names) {
        return new KindRow(kind, columns, Set.of(names), fields, checks, making, traits);
    }

    KindRow being(Trait... more) {
        return new KindRow(kind, columns, subresources, fields, checks, making, Set.of(more));
    }

    KindRow selectedBy(String... paths) {
        return new KindRow(kind, columns, subresources, KindRules.fieldsAt(paths), checks, making, traits);
    }

    KindRow checked(Function<JsonNode, List<Problem>> object) {
        return with(new Checks(object, checks.change, checks.status));
    }

    KindRow checkedChange(BiFunction<JsonNode, JsonNode, List<Problem>> change) {
        return with(new Checks(checks.object, change, checks.status));
    }

    KindRow checkedStatus(Function<JsonNode, List<Problem>> status) {
        return with(new Checks(checks.object, checks.change, status));
    }

    KindRow created(Consumer<ObjectNode> created) {
        return with(new Making(created, making.defaults, making.warnings));
    }

    KindRow filled(Consumer<ObjectNode> defaults) {
        return with(new Making(making.created, defaults, making.warnings));
    }

    KindRow warning(Function<JsonNode, List<String>> warnings) {
        return with(new Making(making.created, making.defaults, warnings));
    }

    private KindRow with(Checks other) {
        return new KindRow(kind, columns, subresources, fields, other, making, traits);
    }

    private KindRow with(Making other) {
        return new KindRow(kind, columns, subresources, fields, checks, other, traits);
    }

    @Override
    public List<Problem> checkStatus(JsonNode object) {
        return checks.status.apply(object);
    }

    @Override
    public void prepareCreate(ObjectNode object) {
        making.created.accept(object);
    }

    @Override
    public void fillDefaults(ObjectNode object) {
        making.defaults.accept(object);
    }

    @Override
    public List<Problem> check(JsonNode object) {
        return checks.object.apply(object);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode object) {
        return checks.change.apply(old, object);
    }

    /// What may not change comes first, as in Kubernetes.
    @Override
    public List<Problem> checkChange(JsonNode old, JsonNode object) {
        return Stream.concat(checkUpdate(old, object).stream(), check(object).stream())
                .toList();
    }

    @Override
    public List<String> warnings(JsonNode object) {
        return making.warnings.apply(object);
    }

    @Override
    public List<String> categories() {
        return traits.contains(Trait.SHOWN_WITH_ALL) ? List.of("all") : List.of();
    }

    @Override
    public boolean hasGeneration() {
        return traits.contains(Trait.GENERATION);
    }

    @Override
    public boolean createsOnUpdate() {
        return traits.contains(Trait.CREATED_BY_UPDATE);
    }

    @Override
    public boolean needsVersion() {
        return traits.contains(Trait.NEEDS_VERSION);
    }

    @Override
    public boolean answersDeletedObject() {
        return traits.contains(Trait.ANSWERS_DELETED_OBJECT);
    }
}
