package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.Rbac;
import io.fairlead.access.User;
import io.fairlead.api.Kind;
import io.fairlead.objects.Rights;
import io.fairlead.objects.StatusException;
import java.util.Set;

/// Refuses with a 403 what the user of a request may not do.
final class Authorization implements Filter {
    private static final Set<String> ENTRIES = Set.of("exec", "attach", "portforward");

    private final Rights rights;
    private final NodeRestriction nodes;

    Authorization(Rights rights, NodeRestriction nodes) {
        this.rights = rights;
        this.nodes = nodes;
    }

    private static boolean isEntry(ApiPath path) {
        return path.kind().equals(Kind.POD) && ENTRIES.contains(path.subresource());
    }

    @Override
    public Answer answer(Exchange exchange, Next next) throws InterruptedException {
        User user = exchange.user();
        AccessRequest wanted = RequestAttributes.of(user, exchange.request());
        Rbac rbac = rights.current();
        if (!rbac.allows(wanted)) {
            throw StatusException.refused(wanted);
        }
        // A WebSocket begins with a GET, but a session with a pod changes what runs in it: as in Kubernetes 1.36.
        if (exchange.request().target().filter(Authorization::isEntry).isPresent()) {
            AccessRequest create = new AccessRequest(user, "create", wanted.on());
            if (!rbac.allows(create)) {
                throw StatusException.refused(create);
            }
        }
        if (user.isNamelessNode()) {
            throw StatusException.refused(wanted);
        }
        if (user.findNode().isPresent() && !user.isMaster()) {
            nodes.check(user.findNode().get(), exchange.request());
        }
        return next.answer(exchange);
    }
}
