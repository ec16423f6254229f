package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.merge.FieldOwner.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Who owns which fields of one object: its `managedFields`, to compute with.
record Ownership(List<ManagedFieldsEntry> shares) {
    /// More updaters than this become one entry: the list would grow with every tool that ever touched the object.
    static final int MOST_UPDATERS = 10;

    static final String ANCIENT = "ancient-changes";

    Ownership {
        shares = List.copyOf(shares);
    }

    static Ownership of(JsonNode object) {
        return new Ownership(Json.at(object, "metadata", "managedFields")
                .valueStream()
                .flatMap(entry -> ManagedFieldsEntry.find(entry).stream())
                .toList());
    }

    /// Writes itself into the metadata of `object`.
    void writeTo(ObjectNode object) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        List<ManagedFieldsEntry> bounded = bounded();
        if (bounded.isEmpty()) {
            metadata.remove("managedFields");
            return;
        }
        ArrayNode entries = metadata.putArray("managedFields");
        bounded.stream().sorted(ManagedFieldsEntry.ORDER).forEach(share -> entries.add(share.toJson()));
    }

    FieldSet of(FieldOwner owner) {
        return find(owner).map(ManagedFieldsEntry::fields).orElse(FieldSet.EMPTY);
    }

    Optional<ManagedFieldsEntry> find(FieldOwner owner) {
        return shares.stream().filter(share -> share.owner().isSameAs(owner)).findFirst();
    }

    FieldSet all() {
        return shares.stream().map(ManagedFieldsEntry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
    }

    /// The same, with what `owner` has replaced.
    Ownership with(ManagedFieldsEntry share) {
        List<ManagedFieldsEntry> next = new ArrayList<>(shares);
        next.removeIf(other -> other.owner().isSameAs(share.owner()));
        if (!share.fields().isEmpty()) {
            next.add(share);
        }
        return new Ownership(next);
    }

    /// The same, with what each owner has changed; who has nothing left is gone.
    Ownership map(UnaryOperator<ManagedFieldsEntry> change) {
        return new Ownership(shares.stream()
                .map(change)
                .filter(share -> !share.fields().isEmpty())
                .toList());
    }

    /// Every owner but `owner` loses `fields`.
    Ownership taking(FieldSet fields, FieldOwner owner) {
        return map(share -> share.owner().isSameAs(owner)
                ? share
                : share.with(share.fields().minus(fields)));
    }

    private List<ManagedFieldsEntry> bounded() {
        List<ManagedFieldsEntry> updaters = shares.stream()
                .filter(share -> share.owner().operation() == Operation.UPDATE)
                .sorted(ManagedFieldsEntry.ORDER)
                .toList();
        if (updaters.size() <= MOST_UPDATERS) {
            return shares;
        }
        List<ManagedFieldsEntry> oldest = updaters.subList(0, updaters.size() - MOST_UPDATERS + 1);
        List<ManagedFieldsEntry> next = new ArrayList<>(shares);
        next.removeAll(oldest);
        next.add(ancient(oldest));
        return next;
    }

    private static ManagedFieldsEntry ancient(List<ManagedFieldsEntry> oldest) {
        ManagedFieldsEntry newest = oldest.getLast();
        FieldOwner owner =
                new FieldOwner(ANCIENT, Operation.UPDATE, newest.owner().apiVersion(), "");
        return new ManagedFieldsEntry(
                owner,
                newest.time(),
                oldest.stream().map(ManagedFieldsEntry::fields).reduce(FieldSet.EMPTY, FieldSet::union));
    }
}
