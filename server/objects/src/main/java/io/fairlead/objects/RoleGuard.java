package io.fairlead.objects;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.PolicyRule;
import io.fairlead.access.Rbac;
import io.fairlead.access.User;
import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Holds a client back that gives away more rights than it has: in a role that it writes, or by binding one.
///
/// It is a part of the [Author] of a write, because only after all defaults and patches is it known what will be
/// written. What the server writes on its own is written without a guard.
public final class RoleGuard {
    private final User user;
    private final Rbac rights;
    private final Optional<NodeGuard> node;

    public RoleGuard(User user, Rbac rights) {
        this.user = user;
        this.rights = rights;
        this.node = Optional.empty();
    }

    /// With what the agent of a node may not say; `blocks` are those that the control plane gives to nodes.
    public RoleGuard(User user, Rbac rights, WatchCache cache, List<Cidr> blocks) {
        this.user = user;
        this.rights = rights;
        this.node = user.isMaster() ? Optional.empty() : user.findNode().map(own -> new NodeGuard(own, cache, blocks));
    }

    /// Throws a 403 if the client may not create such an object: asked where an update or an apply would create
    /// it.
    public void checkCreate(Kind kind, NamespacedName key) {
        var on = new AccessRequest.Resource(kind.group(), kind.plural(), "", key.namespace(), key.name());
        if (!rights.allows(new AccessRequest(user, "create", on))) {
            throw StatusException.forbidden(
                    kind,
                    key.name(),
                    "user \"%s\" cannot create resource \"%s\", and it is not there yet"
                            .formatted(user.name(), kind.plural()));
        }
    }

    /// Throws a 403 if `object` is a role or a binding that gives more than its author has. Labels count as
    /// rights do: other roles gather by them. Only an update that leaves all of these as they are gives nothing
    /// away.
    void check(Kind kind, JsonNode old, JsonNode object) {
        node.ifPresent(guard -> guard.check(kind, old, object));
        if (kind.equals(Kind.ROLE) || kind.equals(Kind.CLUSTER_ROLE)) {
            if (!isSame(old, object, "rules", "aggregationRule") || !isSameMetadata(old, object)) {
                checkRole(kind, object);
            }
        } else if (kind.equals(Kind.ROLE_BINDING) || kind.equals(Kind.CLUSTER_ROLE_BINDING)) {
            if (!isSame(old, object, "roleRef", "subjects") || !isSameMetadata(old, object)) {
                checkBinding(kind, object);
            }
        }
    }

    private static boolean isSame(JsonNode old, JsonNode object, String... fields) {
        return !old.isMissingNode()
                && Stream.of(fields).allMatch(field -> old.path(field).equals(object.path(field)));
    }

    private static boolean isSameMetadata(JsonNode old, JsonNode object) {
        return isSame(old.path("metadata"), object.path("metadata"), "labels", "annotations");
    }

    private void checkRole(Kind kind, JsonNode role) {
        // What a role gathers from others is whatever they will say: only who may do everything can promise that.
        List<PolicyRule> given =
                role.path("aggregationRule").isObject() ? PolicyRule.EVERYTHING : PolicyRule.allOf(role);
        check(kind, role, "escalate", given);
    }

    private void checkBinding(Kind kind, JsonNode binding) {
        String namespace = ObjectMeta.of(binding).key().namespace();
        JsonNode roleRef = binding.path("roleRef");
        NamedRole role = role(kind, binding);
        if (!rights.knows(roleRef, namespace) && !mayAnyway("bind", role, namespace)) {
            // What it will say is not known yet: only a client that may bind it, whatever it says, can promise that.
            boolean cluster = role.resource.equals(Kind.CLUSTER_ROLE.plural());
            throw StatusException.notFound(cluster ? Kind.CLUSTER_ROLE : Kind.ROLE, role.name);
        }
        check(kind, binding, "bind", rights.rulesOf(roleRef, namespace));
    }

    private void check(Kind kind, JsonNode object, String verb, List<PolicyRule> given) {
        ObjectMeta metadata = ObjectMeta.of(object);
        String namespace = metadata.key().namespace();
        List<PolicyRule> beyond = rights.beyond(user, namespace, given);
        if (!beyond.isEmpty() && !mayAnyway(verb, role(kind, object), namespace)) {
            String missing = beyond.stream().map(rule -> "\n" + rule.json()).collect(Collectors.joining());
            throw StatusException.forbidden(
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
