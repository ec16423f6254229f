package io.fairlead.routes;

import io.fairlead.api.NamespacedName;

/// What becomes of a request.
public sealed interface Answer {
    /// It goes to a port of a Service, which sees `path`.
    record Send(ServicePort target, String path, NamespacedName ingress) implements Answer {}

    record Redirect(int status, String location) implements Answer {}

    record Refuse(int status) implements Answer {}
}
