package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is particular about one kind: one row of the server's table. All the rest is the same for every kind.
///
/// In the order in which a write passes them: `prepare…`, `fillDefaults`, `check…`.
public interface KindRules {
    Kind kind();

    /// What is wrong with a name, if anything.
    default Optional<String> nameProblem(String name) {
        return NameValidation.subdomain(LetterCase.LOWER, name);
    }

    /// Sets what the server decides about a new object.
    default void prepareCreate(ObjectNode object) {}

    /// Carries over from the old object what a client may leave out of an update.
    default void prepareUpdate(JsonNode old, ObjectNode object) {}

    default void fillDefaults(ObjectNode object) {}

    default List<Problem> check(JsonNode object) {
        return List.of();
    }

    default List<Problem> checkUpdate(JsonNode old, JsonNode object) {
        return List.of();
    }

    /// All that is wrong with what `old` is to become: what [#check] and [#checkUpdate] say.
    default List<Problem> checkChange(JsonNode old, JsonNode object) {
        return Stream.concat(check(object).stream(), checkUpdate(old, object).stream())
                .toList();
    }

    /// True if `metadata.generation` counts the changes of what is wanted of such an object.
    default boolean hasGeneration() {
        return false;
    }

    /// True if what is wanted of the object changed: all but what is said about it.
    default boolean changesGeneration(JsonNode old, JsonNode object) {
        return !wish(old).equals(wish(object));
    }

    private static JsonNode wish(JsonNode object) {
        ObjectNode rest = Json.object();
        rest.setAll((ObjectNode) object);
        return rest.remove(List.of("metadata", "status"));
    }

    /// Fills in what a client may leave out of a status.
    default void fillStatus(ObjectNode object) {}

    default List<Problem> checkStatus(JsonNode object) {
        return List.of();
    }

    /// What the client should know although its request was done (K31).
    default List<String> warnings(JsonNode object) {
        return List.of();
    }

    /// How long the object stays after a delete that asks for `asked` seconds (negative: it does not say); 0 is not at
    /// all.
    default int graceSeconds(JsonNode object, int asked) {
        return 0;
    }

    /// Why the object may not be deleted, if it may not.
    default Optional<String> deleteRefusal(JsonNode object) {
        return Optional.empty();
    }

    /// Writes into an object that stays for a while after its delete what else tells of that.
    default void prepareDelete(ObjectNode object) {}

    /// The kinds of which the object of the same name is deleted with this one (A14).
    default List<Kind> companions() {
        return List.of();
    }

    /// The columns of `kubectl get`; those of priority 1 only with `-o wide`.
    default List<Column> columns() {
        return List.of(Column.NAME, Column.AGE);
    }

    /// The fields that a field selector may name.
    default Map<String, Function<JsonNode, String>> fields() {
        return metadataFields();
    }

    default Set<String> subresources() {
        return Set.of();
    }

    /// The groups of kinds that this one is shown with, such as `all`.
    default List<String> categories() {
        return List.of();
    }

    /// True if an update of an object that is not there creates it (K22).
    default boolean createsOnUpdate() {
        return false;
    }

    /// True if an update must name the version that it changes.
    default boolean needsVersion() {
        return false;
    }

    /// True if all objects of the kind can be deleted by one request.
    default boolean deletesCollections() {
        return true;
    }

    /// True if a delete answers with the object, false if with a Status (K28).
    default boolean answersDeletedObject() {
        return false;
    }

    /// True if a client may give the status of a new object.
    default boolean acceptsStatusOnCreate() {
        return !subresources().contains("status");
    }

    static Map<String, Function<JsonNode, String>> metadataFields() {
        return fieldsAt();
    }

    /// The name and the namespace, and the fields at these paths.
    static Map<String, Function<JsonNode, String>> fieldsAt(String... paths) {
        Map<String, Function<JsonNode, String>> fields = new LinkedHashMap<>();
        Stream.concat(Stream.of("metadata.name", "metadata.namespace"), Stream.of(paths))
                .forEach(path -> fields.put(path, field(path.split("\\."))));
        return fields;
    }

    static Function<JsonNode, String> field(String... path) {
        return object -> {
            JsonNode value = Json.at(object, path);
            return value.isValueNode() && !value.isNull() && !value.isMissingNode() ? value.asString() : "";
        };
    }
}
