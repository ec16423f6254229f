package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Kind;
import io.fairlead.endpoints.WantedEndpoint.Identity;
import io.fairlead.runner.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// How the endpoints of one family get into slices with the fewest writes.
///
/// An endpoint stays in the slice it is in. New ones fill the slices that must be written anyway, then one
/// slice that has room for all the rest, then slices of their own. A slice that would be left empty is taken
/// for a new one, and deleted only if there is no use for it. A Service without endpoints keeps one empty
/// slice.
final class SlicePlan {
    /// One slice as it is to be: over an existing one, or new.
    private final class Slot {
        final SliceGroup group;
        final List<WantedEndpoint> endpoints;
        Optional<EndpointSlice> existing;

        Slot(SliceGroup group, List<WantedEndpoint> endpoints, Optional<EndpointSlice> existing) {
            this.group = group;
            this.endpoints = new ArrayList<>(endpoints);
            this.existing = existing;
        }

        int room() {
            return author.size() - endpoints.size();
        }
    }

    private final SliceAuthor author;
    private final List<Slot> slots = new ArrayList<>();
    private final Deque<EndpointSlice> spare = new ArrayDeque<>();

    private SlicePlan(SliceAuthor author) {
        this.author = author;
    }

    /// The writes that make `existing`, the slices of one family in the order of their names, hold what is
    /// wanted.
    static List<Write> writes(
            SliceAuthor author,
            SliceGroup empty,
            Map<SliceGroup, List<WantedEndpoint>> wanted,
            List<EndpointSlice> existing) {
        SlicePlan plan = new SlicePlan(author);
        Map<SliceGroup, List<EndpointSlice>> byGroup = new HashMap<>();
        for (EndpointSlice slice : existing) {
            wanted.keySet().stream()
                    .filter(group -> group.holds(slice))
                    .findFirst()
                    .ifPresentOrElse(
                            group -> byGroup.computeIfAbsent(group, _ -> new ArrayList<>())
                                    .add(slice),
                            () -> plan.spare.add(slice));
        }
        wanted.forEach((group, endpoints) -> plan.place(group, endpoints, byGroup.getOrDefault(group, List.of())));
        if (plan.slots.isEmpty()) {
            plan.slots.add(plan.new Slot(empty, List.of(), Optional.empty()));
        }
        return plan.writes();
    }

    private void place(SliceGroup group, List<WantedEndpoint> endpoints, List<EndpointSlice> existing) {
        Map<Identity, WantedEndpoint> unplaced = new LinkedHashMap<>();
        endpoints.forEach(endpoint -> unplaced.put(endpoint.identity(), endpoint));
        List<Slot> own = new ArrayList<>();
        for (EndpointSlice slice : existing) {
            List<WantedEndpoint> kept = kept(slice, unplaced);
            if (kept.isEmpty()) {
                spare.add(slice);
            } else {
                own.add(new Slot(group, kept, Optional.of(slice)));
            }
        }
        fill(own, unplaced);
        slots.addAll(own);
        while (!unplaced.isEmpty()) {
            Slot slot = new Slot(group, List.of(), Optional.empty());
            move(unplaced, slot);
            slots.add(slot);
        }
    }

    private List<WantedEndpoint> kept(EndpointSlice slice, Map<Identity, WantedEndpoint> unplaced) {
        List<WantedEndpoint> kept = new ArrayList<>();
        for (EndpointSlice.Endpoint endpoint : slice.endpoints()) {
            if (!endpoint.addresses().isEmpty() && kept.size() < author.size()) {
                Optional.ofNullable(unplaced.remove(Identity.of(endpoint))).ifPresent(kept::add);
            }
        }
        return kept;
    }

    private void fill(List<Slot> own, Map<Identity, WantedEndpoint> unplaced) {
        List<Slot> written =
                own.stream().filter(slot -> write(slot).isPresent()).toList();
        written.forEach(slot -> move(unplaced, slot));
        if (!unplaced.isEmpty()) {
            own.stream()
                    .filter(slot -> slot.room() >= unplaced.size())
                    .min(Comparator.comparingInt(Slot::room))
                    .ifPresent(slot -> move(unplaced, slot));
        }
    }

    private static void move(Map<Identity, WantedEndpoint> from, Slot to) {
        Iterator<WantedEndpoint> endpoints = from.values().iterator();
        while (endpoints.hasNext() && to.room() > 0) {
            to.endpoints.add(endpoints.next());
            endpoints.remove();
        }
    }

    /// New slices come first and deletions last, so that an endpoint that moves is rather told twice than not
    /// at all.
    private List<Write> writes() {
        List<Write> writes = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.existing.isEmpty()) {
                slot.existing = Optional.ofNullable(spare.poll());
            }
            write(slot).ifPresent(writes::add);
        }
        writes.sort(Comparator.comparing(write -> !(write instanceof Write.Create)));
        spare.forEach(slice -> writes.add(new Write.Delete(
                Kind.ENDPOINT_SLICE, slice.key(), slice.metadata().uid())));
        return writes;
    }

    private Optional<Write> write(Slot slot) {
        ObjectNode tree = SliceTree.of(author, slot.group, slot.endpoints);
        if (slot.existing.isEmpty()) {
            return Optional.of(new Write.Create(Kind.ENDPOINT_SLICE, tree));
        }
        EndpointSlice existing = slot.existing.get();
        return isSame(EndpointSlice.of(tree), existing)
                ? Optional.empty()
                : Optional.of(new Write.Update(Kind.ENDPOINT_SLICE, SliceTree.replacing(existing, tree)));
    }

    private boolean isSame(EndpointSlice wanted, EndpointSlice existing) {
        return wanted.metadata().labels().equals(existing.metadata().labels())
                && weights(wanted).equals(weights(existing))
                && existing.metadata().isControlledBy(author.owner().metadata())
                && new LinkedHashSet<>(wanted.ports()).equals(new LinkedHashSet<>(existing.ports()))
                && wanted.endpoints().equals(existing.endpoints());
    }

    private static String weights(EndpointSlice slice) {
        return slice.metadata().annotations().getOrDefault(SliceTree.WEIGHTS, "");
    }
}
