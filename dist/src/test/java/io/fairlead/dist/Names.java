package io.fairlead.dist;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Words that say nothing, and so are no part of a type's name.
final class Names {
    private static final Set<String> BANNED = Set.of(
            "Manager", "Helper", "Util", "Utils", "Impl", "Base", "Abstract", "Data", "Info", "Processor", "Common");

    private Names() {}

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
