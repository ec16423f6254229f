package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What one write of a Service takes and gives back.
final class ServiceAllocation implements Allocation {
    private final Claims claims;
    private final ObjectNode service;
    private final JsonNode specBefore;
    private final ServiceNeeds had;
    private final Set<ServiceNeeds.Item> taken = new LinkedHashSet<>();

    ServiceAllocation(Claims claims, JsonNode old, ObjectNode service) {
        this.claims = claims;
        this.service = service;
        this.specBefore = service.path("spec").deepCopy();
        this.had = ServiceNeeds.of(old);
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

    @Override
    public List<Store.Put> claims() {
        return taken.stream()
                .map(item -> claims.put(item.kind(), item.text(), Claims.owner(service)))
                .toList();
    }

    @Override
    public void keep() throws InterruptedException {
        if (had.items().isEmpty()) {
            return;
        }
        ServiceNeeds has = ServiceNeeds.of(service);
        for (ServiceNeeds.Item item : had.items()) {
            if (!has.items().contains(item)) {
                claims.release(item.kind(), item.text(), Claims.owner(service));
            }
        }
    }

    @Override
    public void undo(List<Store.Outcome> outcomes) throws InterruptedException {
        List<ServiceNeeds.Item> items = new ArrayList<>(taken);
        for (int i = 0; i < items.size(); i++) {
            if (outcomes.get(i) instanceof Store.Outcome.Done(var revision)) {
                claims.release(
                        new Claims.Claim(items.get(i).kind(), items.get(i).text(), revision));
            }
        }
        service.set("spec", specBefore);
    }

    ApiException refused(List<Problem> problems) {
        return ApiException.invalid(Kind.SERVICE, Claims.owner(service).name(), problems);
    }
}
