package io.fairlead.iptables;

import io.fairlead.api.Family;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Why a family cannot be programmed on this machine, by family; one that can be has an empty text.
record Objections(Map<Family, String> byFamily) {
    Objections {
        byFamily = Map.copyOf(byFamily);
    }

    static Objections of(Function<Family, String> asked) {
        Map<Family, String> objections = new EnumMap<>(Family.class);
        for (Family family : Family.values()) {
            objections.put(family, asked.apply(family));
        }
        return new Objections(objections);
    }

    String to(Family family) {
        return byFamily.getOrDefault(family, "");
    }

    List<Family> usable() {
        return Arrays.stream(Family.values())
                .filter(family -> to(family).isEmpty())
                .toList();
    }

    /// One line for each family that is left out although the mode runs.
    List<String> notes() {
        return usable().isEmpty()
                ? List.of()
                : Arrays.stream(Family.values())
                        .filter(family -> !to(family).isEmpty())
                        .map(family -> "mode=iptables family=%s left=out reason=\"%s\"".formatted(family, to(family)))
                        .toList();
    }
}
