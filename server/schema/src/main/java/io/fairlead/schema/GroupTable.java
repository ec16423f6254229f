package io.fairlead.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The structs of one group and version by their short names, and which of them are kinds.
///
/// `messages` are the same structs as protobuf sees them: without the fields of those that are inlined in JSON.
record GroupTable(Map<String, StructType> structs, Map<String, StructType> messages, List<String> kinds) {
    GroupTable {
        structs = Collections.unmodifiableMap(new LinkedHashMap<>(structs));
        messages = Map.copyOf(messages);
        kinds = List.copyOf(kinds);
    }
}
