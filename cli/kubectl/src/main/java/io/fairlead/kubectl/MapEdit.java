package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A change of labels or annotations as it is typed: `key=value` sets one, `key-` removes one.
record MapEdit(Map<String, String> set, List<String> remove) {
    MapEdit {
        set = new LinkedHashMap<>(set);
        remove = List.copyOf(remove);
    }

    /// Whether the word is a change, and not the name of an object.
    static boolean isEdit(String word) {
        return word.contains("=") || word.endsWith("-");
    }

    /// @param word what one of them is called: `label`
    static MapEdit parse(String word, List<String> words) {
        Map<String, String> set = new LinkedHashMap<>();
        List<String> remove = new ArrayList<>();
        for (String edit : words) {
            int equals = edit.indexOf('=');
            if (!isEdit(edit) || equals == 0 || edit.equals("-")) {
                throw new CommandException("error: unknown %s spec: %s".formatted(word, edit));
            }
            if (equals > 0) {
                set.put(edit.substring(0, equals), edit.substring(equals + 1));
            } else {
                remove.add(edit.substring(0, edit.length() - 1));
            }
        }
        for (String key : remove) {
            if (set.containsKey(key)) {
                throw new CommandException(
                        "error: cannot modify %s %s twice: it is set and removed".formatted(word, key));
            }
        }
        return new MapEdit(set, remove);
    }

    boolean isEmpty() {
        return set.isEmpty() && remove.isEmpty();
    }

    /// The keys that have another value now, each with that value: `'app' already has a value (web)`.
    List<String> clashes(Map<String, String> now) {
        return set.entrySet().stream()
                .filter(entry ->
                        now.containsKey(entry.getKey()) && !entry.getValue().equals(now.get(entry.getKey())))
                .map(entry -> "'%s' already has a value (%s)".formatted(entry.getKey(), now.get(entry.getKey())))
                .toList();
    }

    Map<String, String> applied(Map<String, String> now) {
        Map<String, String> then = new LinkedHashMap<>(now);
        then.putAll(set);
        remove.forEach(then::remove);
        return then;
    }

    /// The merge patch of `metadata.field`.
    JsonNode patch(String field) {
        ObjectNode patch = Json.object();
        ObjectNode map = patch.putObject("metadata").putObject(field);
        set.forEach(map::put);
        remove.forEach(map::putNull);
        return patch;
    }
}
