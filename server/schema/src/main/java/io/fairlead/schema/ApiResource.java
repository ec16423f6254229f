package io.fairlead.schema;

import io.fairlead.api.Kind;
import java.util.List;

/// A kind that a server has, what can be done with it, and its parts.
public record ApiResource(Kind kind, List<String> verbs, List<Part> parts) {

    /// A subresource, and the kind of object that is sent and answered there.
    public record Part(String name, Kind kind, List<String> verbs) {
        public Part {
            verbs = List.copyOf(verbs);
        }
    }

    public ApiResource {
        verbs = List.copyOf(verbs);
        parts = List.copyOf(parts);
    }

    /// `api/v1`, or `apis/apps/v1`: where its group and version live.
    String root() {
        return kind.group().isEmpty() ? "api/" + kind.version() : "apis/" + kind.apiVersion();
    }
}
