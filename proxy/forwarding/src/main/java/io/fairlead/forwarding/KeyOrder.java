package io.fairlead.forwarding;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/// Sorting by the text of keys. Each text is made once: the first patch of a big cluster sorts all there is.
final class KeyOrder {
    private record Keyed<T>(String text, T item) {}

    private KeyOrder() {}

    static <T> List<T> sorted(Collection<T> items, Function<T, Object> key) {
        return items.stream()
                .map(item -> new Keyed<>(key.apply(item).toString(), item))
                .sorted(Comparator.comparing(Keyed::text))
                .map(Keyed::item)
                .toList();
    }
}
