package io.fairlead.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The structs of one group and version by their short names, and which of them are kinds.
record GroupTable(Map<String, StructType> structs, List<String> kinds) {
    GroupTable {
        structs = Collections.unmodifiableMap(new LinkedHashMap<>(structs));
        kinds = List.copyOf(kinds);
    }
}
