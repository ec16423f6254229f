package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An allocation for a Service while it is being decided: what the Service had, and what this write takes.
final class ServiceAllocation {
    private final Claims claims;
    private final ObjectNode service;
    private final ServiceNeeds had;
    private final Set<ServiceNeeds.Item> taken = new LinkedHashSet<>();

    /// It is decided on a copy of `asked`.
    ServiceAllocation(Claims claims, JsonNode old, ObjectNode asked) {
        this.claims = claims;
        this.service = asked.deepCopy();
        this.had = ServiceNeeds.of(old);
    }

    /// The copy that gets what is taken.
    ObjectNode service() {
        return service;
    }

    boolean had(Kind kind, String item) {
        return had.contains(kind, item);
    }

    /// True if the Service has the item now: it had it before, or this write takes it.
    boolean take(Kind kind, String item) {
        return taken.contains(new ServiceNeeds.Item(kind, item)) || had.contains(kind, item) || takeNew(kind, item);
    }

    /// True if the item seems to be free, and this write takes it. Whether it is free the store says.
    boolean takeNew(Kind kind, String item) {
        return !claims.isTaken(kind, item) && taken.add(new ServiceNeeds.Item(kind, item));
    }

    Allocation decided() {
        Set<ServiceNeeds.Item> has = ServiceNeeds.of(service).items();
        List<ServiceNeeds.Item> freed =
                had.items().stream().filter(item -> !has.contains(item)).toList();
        return new Allocation(service, List.copyOf(taken), freed);
    }

    StatusException refused(List<Problem> problems) {
        return StatusException.invalid(Kind.SERVICE, Claims.owner(service).name(), problems);
    }
}
