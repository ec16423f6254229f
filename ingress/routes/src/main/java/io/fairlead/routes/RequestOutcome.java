package io.fairlead.routes;

import io.fairlead.api.NamespacedName;

/// What becomes of a request.
public sealed interface RequestOutcome {
    /// It goes to a port of a Service, which sees `path`.
    record Send(ServicePort target, String path, NamespacedName ingress) implements RequestOutcome {}

    record Redirect(int status, String location) implements RequestOutcome {}

    record Refuse(int status) implements RequestOutcome {}
}
