package io.fairlead.merge;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A set of places in an object, as a tree: the form of `fieldsV1` itself.
///
/// `member` says that the place where this set hangs belongs to it; `below` are the places under it. No subset in
/// `below` is empty.
record FieldSet(boolean member, NavigableMap<String, FieldSet> below) {
    static final FieldSet EMPTY = new FieldSet(false, Collections.emptyNavigableMap());
    static final FieldSet HERE = new FieldSet(true, Collections.emptyNavigableMap());

    /// As deep as a body may be nested; what others wrote into `managedFields` may not be deeper.
    private static final int MOST_DEPTH = 200;

    FieldSet {
        below = Collections.unmodifiableNavigableMap(below);
    }

    boolean isEmpty() {
        return !member && below.isEmpty();
    }

    FieldSet at(String element) {
        return below.getOrDefault(element, EMPTY);
    }

    FieldSet union(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this; // of a new object most sets are empty
        }
        if (other.below.isEmpty()) {
            return member ? this : new FieldSet(true, below);
        }
        return combine(other, (a, b) -> a || b, FieldSet::union);
    }

    FieldSet minus(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return this;
        }
        return combine(other, (a, b) -> a && !b, FieldSet::minus);
    }

    FieldSet intersect(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return EMPTY;
        }
        return combine(other, (a, b) -> a && b, FieldSet::intersect);
    }

    private FieldSet combine(
            FieldSet other,
            BiFunction<Boolean, Boolean, Boolean> members,
            BiFunction<FieldSet, FieldSet, FieldSet> deeper) {
        Builder all = new Builder(members.apply(member, other.member));
        below.forEach((element, set) -> all.add(element, deeper.apply(set, other.at(element))));
        other.below.forEach((element, set) -> {
            if (!below.containsKey(element)) {
                all.add(element, deeper.apply(EMPTY, set));
            }
        });
        return all.build();
    }

    /// This set, with each field of a struct in it through which a path of this set leads.
    FieldSet withNamedFields(Shape shape) {
        Builder all = new Builder(member);
        below.forEach((element, set) -> {
            FieldSet deeper = set.withNamedFields(under(shape, element));
            boolean named = shape instanceof Shape.Struct struct
                    && PathElement.isField(element)
                    && struct.type().find(PathElement.name(element)).isPresent();
            all.add(element, named ? new FieldSet(true, deeper.below) : deeper);
        });
        return all.build();
    }

    private static Shape under(Shape shape, String element) {
        return switch (shape) {
            case Shape.Keyed keyed -> keyed.element();
            case Shape.Struct _, Shape.Mapping _ -> shape.under(PathElement.name(element));
            case Shape.Leaf _, Shape.Values _, Shape.Unknown _ -> Shapes.UNKNOWN;
        };
    }

    /// Every place, in messages' spelling, sorted.
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String path, List<String> paths) {
        if (member) {
            paths.add(path);
        }
        below.forEach((element, set) -> set.collect(path + PathElement.shown(element), paths));
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object();
        if (member && !below.isEmpty()) {
            json.putObject(".");
        }
        below.forEach((element, set) -> json.set(element, set.toJson()));
        return json;
    }

    /// The set that `fieldsV1` tells; what is no step of a path is left out.
    static FieldSet of(JsonNode fieldsV1) {
        return children(fieldsV1, 0).build();
    }

    private static Builder children(JsonNode json, int depth) {
        if (depth > MOST_DEPTH) {
            throw MergeException.malformed("metadata.managedFields: nested deeper than " + MOST_DEPTH + " levels");
        }
        Builder set = new Builder(json.has("."));
        json.propertyStream()
                .filter(entry -> entry.getKey().length() > 1 && entry.getKey().charAt(1) == ':')
                .forEach(entry -> set.add(entry.getKey(), child(entry.getValue(), depth + 1)));
        return set;
    }

    private static FieldSet child(JsonNode json, int depth) {
        return json.isEmpty() ? HERE : children(json, depth).build();
    }

    /// A set that is still being put together. Most stay empty, and cost nothing.
    static final class Builder {
        private NavigableMap<String, FieldSet> below = Collections.emptyNavigableMap();
        private boolean member;

        Builder(boolean member) {
            this.member = member;
        }

        void addHere() {
            member = true;
        }

        void add(String element, FieldSet set) {
            if (set.isEmpty()) {
                return;
            }
            if (below.isEmpty()) {
                below = new TreeMap<>();
            }
            below.put(element, set);
        }

        /// The set; nothing is added after that.
        FieldSet build() {
            return member || !below.isEmpty() ? new FieldSet(member, below) : EMPTY;
        }
    }
}
