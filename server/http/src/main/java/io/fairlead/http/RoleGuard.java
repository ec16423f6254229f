package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.PolicyRule;
import io.fairlead.access.Rbac;
import io.fairlead.access.User;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Nobody gives away more rights than he has: neither in a role that he writes, nor by binding one to somebody.
///
/// It travels with the request, because only after all defaults and patches is it known what will be written. What the
/// server writes on its own is written without a guard.
final class RoleGuard {
    private static final ScopedValue<RoleGuard> CURRENT = ScopedValue.newInstance();

    private final User user;
    private final Rbac rights;

    RoleGuard(User user, Rbac rights) {
        this.user = user;
        this.rights = rights;
    }

    /// Answers a request with this guard.
    Answer guard(ScopedValue.CallableOp<Answer, InterruptedException> answer) throws InterruptedException {
        return ScopedValue.where(CURRENT, this).call(answer);
    }

    /// Throws a 403 if the role says more than the one who writes it may do.
    static void checkRole(Kind kind, JsonNode role) {
        if (CURRENT.isBound()) {
            // What a role gathers from others is whatever they will say: only who may do everything can promise that.
            List<PolicyRule> given =
                    role.path("aggregationRule").isObject() ? PolicyRule.EVERYTHING : PolicyRule.allOf(role);
            CURRENT.get().check(kind, role, "escalate", given);
        }
    }

    /// Throws a 403 if the binding gives more than the one who writes it may do.
    static void checkBinding(Kind kind, JsonNode binding) {
        if (CURRENT.isBound()) {
            RoleGuard guard = CURRENT.get();
            String namespace = ObjectMeta.of(binding).key().namespace();
            guard.check(kind, binding, "bind", guard.rights.rulesOf(binding.path("roleRef"), namespace));
        }
    }

    private void check(Kind kind, JsonNode object, String verb, List<PolicyRule> given) {
        ObjectMeta metadata = ObjectMeta.of(object);
        String namespace = metadata.key().namespace();
        List<PolicyRule> beyond = rights.beyond(user, namespace, given);
        if (!beyond.isEmpty() && !mayAnyway(verb, role(kind, object), namespace)) {
            String missing = beyond.stream().map(rule -> "\n" + rule.json()).collect(Collectors.joining());
            throw ApiException.forbidden(
                    kind,
                    metadata.key().name(),
                    "user \"%s\" (groups=%s) is attempting to grant RBAC permissions not currently held:%s"
                            .formatted(
                                    user.name(), user.groups().stream().sorted().toList(), missing));
        }
    }

    private boolean mayAnyway(String verb, NamedRole role, String namespace) {
        var on = new AccessRequest.Resource(Kind.ROLE.group(), role.resource, "", namespace, role.name);
        return rights.allows(new AccessRequest(user, verb, on));
    }

    private record NamedRole(String resource, String name) {}

    private static NamedRole role(Kind kind, JsonNode object) {
        if (kind.equals(Kind.ROLE) || kind.equals(Kind.CLUSTER_ROLE)) {
            return new NamedRole(kind.plural(), ObjectMeta.of(object).key().name());
        }
        boolean cluster = Json.text(object, "roleRef", "kind").equals(Kind.CLUSTER_ROLE.name());
        return new NamedRole(
                cluster ? Kind.CLUSTER_ROLE.plural() : Kind.ROLE.plural(), Json.text(object, "roleRef", "name"));
    }
}
