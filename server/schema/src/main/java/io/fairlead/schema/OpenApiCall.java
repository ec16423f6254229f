package io.fairlead.schema;

import io.fairlead.api.Kind;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/// One call of the API: a verb on a kind or on a part of it. `body` is the kind that is sent and answered.
record OpenApiCall(Kind kind, String part, Kind body, String verb) {
    private static final Map<String, String> WORDS = Map.of(
            "get", "read", "update", "replace", "deletecollection", "delete", "create", "create", "list", "list");

    boolean isWrite() {
        return verb.equals("create") || verb.equals("update") || verb.equals("patch");
    }

    boolean isDelete() {
        return verb.startsWith("delete");
    }

    /// `core_v1`.
    String tag() {
        return (kind.group().isEmpty()
                        ? "core"
                        : kind.group().replace(".k8s.io", "").replace('.', '_')) + "_" + kind.version();
    }

    /// `readCoreV1NamespacedServiceStatus`.
    String id() {
        boolean everywhere = part.equals("ForAllNamespaces");
        return WORDS.getOrDefault(verb, verb)
                + capitals(tag())
                + (verb.equals("deletecollection") ? "Collection" : "")
                + (kind.namespaced() && !everywhere ? "Namespaced" : "")
                + kind.name()
                + capitals(part);
    }

    private static String capitals(String words) {
        return Arrays.stream(words.split("_"))
                .filter(word -> !word.isEmpty())
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }
}
