package io.fairlead.merge;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// In which places two values differ.
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {
    private static final Comparison SAME = new Comparison(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.EMPTY);

    static Comparison between(Shape shape, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return SAME;
        }
        if (before.isMissingNode()) {
            return new Comparison(whole(shape, after), FieldSet.EMPTY, FieldSet.EMPTY);
        }
        Shape fitting = shape.fitting(before, after);
        return switch (fitting) {
            case Shape.Leaf _, Shape.Unknown _ -> leaf(after);
            case Shape.Struct _, Shape.Mapping _ -> objects(fitting, before, after);
            case Shape.Keyed _, Shape.Values _ -> lists(fitting, before, after);
        };
    }

    /// What the later value has that the earlier one had not.
    FieldSet written() {
        return added.union(modified);
    }

    boolean isSame() {
        return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
    }

    /// All places of a value that was not there before: the most of a new object, and of what is written at all.
    private static FieldSet whole(Shape shape, JsonNode value) {
        Shape fitting = shape.fitting(MissingNode.getInstance(), value);
        return switch (fitting) {
            case Shape.Leaf _, Shape.Unknown _ -> FieldSet.HERE;
            case Shape.Struct _, Shape.Mapping _ -> wholeObject(fitting, value);
            case Shape.Keyed _, Shape.Values _ -> wholeList(fitting, value);
        };
    }

    private static FieldSet wholeObject(Shape shape, JsonNode object) {
        FieldSet.Builder all = new FieldSet.Builder(!(shape instanceof Shape.Struct) || object.isEmpty());
        object.properties()
                .forEach(field -> all.add(
                        PathElement.field(field.getKey()), whole(shape.under(field.getKey()), field.getValue())));
        return all.build();
    }

    private static FieldSet wholeList(Shape shape, JsonNode list) {
        FieldSet.Builder all = new FieldSet.Builder(true);
        Items.of(shape, list)
                .forEach((step, item) ->
                        all.add(step, whole(Items.element(shape), item).union(FieldSet.HERE)));
        return all.build();
    }

    private static Comparison leaf(JsonNode after) {
        return after.isMissingNode()
                ? new Comparison(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.HERE)
                : new Comparison(FieldSet.EMPTY, FieldSet.HERE, FieldSet.EMPTY);
    }

    private static Comparison objects(Shape shape, JsonNode before, JsonNode after) {
        Sides sides = new Sides(before, after, !(shape instanceof Shape.Struct));
        Set<String> names = new LinkedHashSet<>(before.propertyNames());
        names.addAll(after.propertyNames());
        names.forEach(name ->
                sides.add(PathElement.field(name), between(shape.under(name), before.path(name), after.path(name))));
        return sides.build();
    }

    private static Comparison lists(Shape shape, JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = Items.of(shape, before);
        Map<String, JsonNode> next = Items.of(shape, after);
        Sides sides = new Sides(before, after, true);
        Set<String> steps = new LinkedHashSet<>(old.keySet());
        steps.addAll(next.keySet());
        JsonNode absent = MissingNode.getInstance();
        for (String step : steps) {
            JsonNode was = old.getOrDefault(step, absent);
            JsonNode is = next.getOrDefault(step, absent);
            sides.add(step, item(between(Items.element(shape), was, is), was, is));
        }
        return sides.build();
    }

    /// An item that comes or goes is itself a place, besides what is in it.
    private static Comparison item(Comparison inside, JsonNode was, JsonNode is) {
        return new Comparison(
                was.isMissingNode() ? inside.added.union(FieldSet.HERE) : inside.added,
                inside.modified,
                is.isMissingNode() ? inside.removed.union(FieldSet.HERE) : inside.removed);
    }

    /// The three sets of a container, while they are put together. A map or a list that comes or goes is a place too;
    /// of a struct no owner asks whether it is there.
    private static final class Sides {
        private final FieldSet.Builder added;
        private final FieldSet.Builder modified = new FieldSet.Builder(false);
        private final FieldSet.Builder removed;

        Sides(JsonNode before, JsonNode after, boolean counts) {
            boolean nothing = before.isEmpty() && after.isEmpty();
            added = new FieldSet.Builder((counts || nothing) && before.isMissingNode());
            removed = new FieldSet.Builder((counts || nothing) && after.isMissingNode());
        }

        void add(String step, Comparison inside) {
            added.add(step, inside.added);
            modified.add(step, inside.modified);
            removed.add(step, inside.removed);
        }

        Comparison build() {
            return new Comparison(added.build(), modified.build(), removed.build());
        }
    }
}
