package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.merge.KindMerge;
import io.fairlead.schema.FieldCheck;
import io.fairlead.schema.FieldFaults;
import io.fairlead.schema.Pruning;
import io.fairlead.schema.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the schema says about the kinds of this server, ready to merge with and to check bodies against.
public final class KindMerges {
    private static final FieldFaults NONE = new FieldFaults(List.of(), List.of());

    private final Schemas schemas = Schemas.builtIn();
    private final Map<Kind, KindMerge> merges = new ConcurrentHashMap<>();

    public KindMerge of(Kind kind) {
        return merges.computeIfAbsent(kind, known -> new KindMerge(schemas, known.apiVersion(), known.name()));
    }

    /// The fields of `body` that no object of the kind has.
    public List<String> unknownFields(Kind kind, JsonNode body) {
        return faults(kind, body).unknown();
    }

    /// Takes out of `object` what no object of the kind has.
    public void prune(Kind kind, ObjectNode object) {
        schemas.find(kind.apiVersion(), kind.name()).ifPresent(type -> Pruning.prune(type, object));
    }

    /// What cannot be read of `object` because it is of a wrong type; the first of all.
    public Optional<String> wrongType(Kind kind, JsonNode object) {
        return faults(kind, object).wrongTypes().stream().findFirst();
    }

    /// Refuses an object with a value of a wrong type, such as a text in the place of a number, that `old` had not.
    void refuseWrongTypes(Kind kind, JsonNode old, JsonNode object) {
        List<String> faults = new ArrayList<>(faults(kind, object).wrongTypes());
        if (!faults.isEmpty()) {
            faults.removeAll(faults(kind, old).wrongTypes());
        }
        if (!faults.isEmpty()) {
            throw StatusException.unreadable(kind.apiVersion(), kind.name(), faults.getFirst());
        }
    }

    private FieldFaults faults(Kind kind, JsonNode body) {
        return schemas.find(kind.apiVersion(), kind.name())
                .map(type -> FieldCheck.of(type, body))
                .orElse(NONE);
    }
}
