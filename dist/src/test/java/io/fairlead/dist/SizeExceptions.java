package io.fairlead.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The lines of `docs/decisions/size-exceptions.txt`: `where: reason`.
record SizeExceptions(Map<String, String> reasons) {

    static SizeExceptions read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    static SizeExceptions parse(List<String> lines) {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(":", 2);
            if (parts.length < 2 || parts[1].isBlank()) {
                throw new IllegalArgumentException("\"%s\" gives no reason: write \"where: reason\"".formatted(line));
            }
            reasons.put(parts[0].strip(), parts[1].strip());
        }
        return new SizeExceptions(reasons);
    }

    /// What is too large without a reason, and reasons for what is no longer too large.
    List<String> violations(List<Sizes.TooLarge> found) {
        List<String> violations = new ArrayList<>();
        found.stream().filter(one -> !reasons.containsKey(one.where())).forEach(one -> violations.add(one.toString()));
        reasons.keySet().stream()
                .filter(where -> found.stream().noneMatch(one -> one.where().equals(where)))
                .forEach(where -> violations.add("%s is excused but not too large".formatted(where)));
        return violations;
    }
}
