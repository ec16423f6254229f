package io.fairlead.dist;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Words that say nothing, and so are no part of a type's name.
final class Names {
    private static final Set<String> BANNED = Set.of(
            "Manager", "Helper", "Util", "Utils", "Impl", "Base", "Abstract", "Data", "Info", "Processor", "Common");

    /// Sibling backends have these parts each, and mean the same by them.
    private static final Set<String> PARTS_OF_BACKENDS =
            Set.of("Foundation", "RowEntries", "Rule", "RuleText", "TracedPacket", "CountReader", "SupportProbe");

    private Names() {}

    /// One word, one meaning: a top-level type's name stands in one room alone. `rooms` are those of each name.
    static List<String> shared(Map<String, ? extends Set<String>> rooms) {
        return rooms.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1 && !PARTS_OF_BACKENDS.contains(entry.getKey()))
                .map(entry -> "%s stands in the rooms %s".formatted(entry.getKey(), new TreeSet<>(entry.getValue())))
                .sorted()
                .toList();
    }

    static List<String> violations(CompiledClass type) {
        // NODATA is an answer of DNS, by its own name.
        String simple = type.name().substring(type.name().lastIndexOf('.') + 1).replace("NoData", "");
        return Arrays.stream(simple.split("(?=[A-Z])|\\$|_"))
                .filter(BANNED::contains)
                .map(word -> "%s has the word %s in its name".formatted(type.name(), word))
                .toList();
    }

    /// A module is one flat package, so that package-private means private to the room.
    static List<String> misplaced(String room, CompiledClass type) {
        String home = "io.fairlead." + room + ".";
        boolean atHome = type.name().startsWith(home) && type.name().indexOf('.', home.length()) < 0;
        return atHome ? List.of() : List.of("%s is not in the package of its room, %s".formatted(type.name(), room));
    }
}
