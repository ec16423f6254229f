package io.fairlead.merge;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// What becomes of an apply.
public sealed interface Applied {
    /// The object as it should be, its `managedFields` included.
    record Done(ObjectNode object) implements Applied {}

    /// Others own fields to which the apply would give another value.
    record Refused(List<Conflict> conflicts) implements Applied {
        public Refused {
            conflicts = List.copyOf(conflicts);
        }

        /// All conflicts as one text, those with the same owner together.
        public String message() {
            if (conflicts.size() == 1) {
                Conflict only = conflicts.getFirst();
                return "Apply failed with 1 conflict: " + only.message() + ": " + only.path();
            }
            Map<String, List<Conflict>> byOwner = conflicts.stream()
                    .collect(Collectors.groupingBy(
                            conflict -> conflict.owner().toString(), TreeMap::new, Collectors.toList()));
            return "Apply failed with %d conflicts: ".formatted(conflicts.size())
                    + byOwner.entrySet().stream()
                            .map(entry -> "conflicts with " + entry.getKey() + ":\n" + paths(entry.getValue()))
                            .collect(Collectors.joining("\n"));
        }

        private static String paths(List<Conflict> conflicts) {
            return conflicts.stream().map(conflict -> "- " + conflict.path()).collect(Collectors.joining("\n"));
        }
    }

    /// A field, and who owns it: `.spec.ports[port=80,protocol="TCP"].nodePort`.
    record Conflict(FieldOwner owner, String path) {
        public String message() {
            return "conflict with " + owner;
        }
    }
}
