package io.fairlead.objects;

import io.fairlead.api.LabelSelector;
import io.fairlead.api.ParseException;
import io.fairlead.kinds.KindRules;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Which objects of a kind a list, a watch or a deletion is about.
public record Selection(String namespace, LabelSelector labels, FieldSelector fields) implements Predicate<ApiObject> {

    public static Selection of(String namespace, UnaryOperator<String> query, KindRules rules) {
        return new Selection(
                namespace,
                labels(query.apply("labelSelector")),
                FieldSelector.parse(query.apply("fieldSelector"), rules.fields()));
    }

    /// One object alone: what a watch of a single object is about (K19).
    public Selection only(String name) {
        return name.isEmpty()
                ? this
                : new Selection(
                        namespace, labels, FieldSelector.parse("metadata.name=" + name, KindRules.metadataFields()));
    }

    public boolean isEverything() {
        return labels.requirements().isEmpty() && fields.requirements().isEmpty();
    }

    @Override
    public boolean test(ApiObject object) {
        return (namespace.isEmpty() || namespace.equals(object.key().namespace()))
                && labels.matches(object.labels())
                && (fields.requirements().isEmpty() || fields.matches(object.tree()));
    }

    private static LabelSelector labels(String text) {
        try {
            return LabelSelector.parse(text);
        } catch (ParseException e) {
            throw StatusException.badRequest("labelSelector: " + e.getMessage());
        }
    }
}
