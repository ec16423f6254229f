package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.Rbac;
import io.fairlead.access.User;
import io.fairlead.objects.ApiException;
import io.fairlead.objects.Rights;

/// Refuses with a 403 what the user of a request may not do.
final class Authorization implements Filter {
    private final Rights rights;
    private final NodeRestriction nodes;

    Authorization(Rights rights, NodeRestriction nodes) {
        this.rights = rights;
        this.nodes = nodes;
    }

    @Override
    public Answer answer(Exchange exchange, Next next) throws InterruptedException {
        User user = exchange.user();
        AccessRequest wanted = RequestAttributes.of(user, exchange.request());
        Rbac rbac = rights.current();
        if (!rbac.allows(wanted)) {
            throw ApiException.refused(wanted);
        }
        if (user.findNode().isPresent() && !user.isMaster()) {
            nodes.check(user.findNode().get(), exchange.request());
        }
        return next.answer(exchange);
    }
}
