package io.fairlead.apiserver;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What one write of a Service takes and gives back.
final class ServiceAllocation implements Allocation {
    private final Claims claims;
    private final boolean dryRun;
    private final JsonNode service;
    private final ServiceNeeds had;
    private final List<Claims.Claim> taken = new ArrayList<>();

    ServiceAllocation(Claims claims, JsonNode old, JsonNode service, boolean dryRun) {
        this.claims = claims;
        this.dryRun = dryRun;
        this.service = service;
        this.had = ServiceNeeds.of(old);
    }

    boolean had(Kind kind, String item) {
        return had.contains(kind, item);
    }

    /// True if the Service has the item now: it had it before, or this write could take it.
    boolean take(Kind kind, String item) {
        boolean own =
                taken.stream().anyMatch(c -> c.kind().equals(kind) && c.item().equals(item));
        return own || had.contains(kind, item) || takeNew(kind, item);
    }

    /// True if the item was free and now belongs to the Service.
    boolean takeNew(Kind kind, String item) {
        if (claims.isTaken(kind, item)) {
            return false;
        }
        Optional<Claims.Claim> claim = dryRun
                ? Optional.of(new Claims.Claim(kind, item, Revision.ZERO))
                : claims.take(kind, item, Claims.owner(service));
        claim.ifPresent(taken::add);
        return claim.isPresent();
    }

    @Override
    public void keep() throws InterruptedException {
        ServiceNeeds has = ServiceNeeds.of(service);
        for (ServiceNeeds.Item item : had.items()) {
            if (!has.items().contains(item)) {
                claims.release(item.kind(), item.text(), Claims.owner(service));
            }
        }
    }

    @Override
    public void undo() throws InterruptedException {
        if (!dryRun) {
            for (Claims.Claim claim : taken) {
                claims.release(claim);
            }
        }
        taken.clear();
    }

    ApiException refused(List<Problem> problems) {
        return ApiException.invalid(Kind.SERVICE, Claims.owner(service).name(), problems);
    }
}
