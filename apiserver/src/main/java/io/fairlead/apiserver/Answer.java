package io.fairlead.apiserver;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What a request is answered with, apart from how it is written to the wire.
sealed interface Answer {
    /// One object; `warnings` go into headers (K31).
    record One(int code, KindRules rules, ApiObject object, List<String> warnings) implements Answer {}

    /// Objects of one kind, as of one revision.
    record Many(KindRules rules, KindCache.Listing listing) implements Answer {}

    /// A document that is no object of the store: a Status, a Scale, the list of groups.
    record Document(int code, ObjectNode json) implements Answer {}

    /// Text for people and for Prometheus.
    record Text(int code, String contentType, String text) implements Answer {}

    /// A stream of changes that goes on until the client or the server ends it.
    record Stream(WatchStream watch) implements Answer {}

    static Answer.One ok(KindRules rules, ApiObject object) {
        return new One(200, rules, object, List.of());
    }
}
