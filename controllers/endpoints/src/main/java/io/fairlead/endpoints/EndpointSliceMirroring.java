package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Endpoints;
import io.fairlead.api.Family;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Writes slices for the Endpoints that users make by hand for a Service without a selector (E8).
public final class EndpointSliceMirroring implements Controller {
    private static final String SKIP = "endpointslice.kubernetes.io/skip-mirror";
    private static final int MAX_PER_SUBSET = 1000;

    private final int sliceSize;

    public EndpointSliceMirroring(int sliceSize) {
        this.sliceSize = sliceSize;
    }

    @Override
    public String name() {
        return "endpointslice-mirroring";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = now.servicesChangedSince(before);
        changed.addAll(Lookup.changed(Kind.ENDPOINTS, before, now));
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        List<EndpointSlice> existing = now.slicesOf(object);
        Optional<Service> service = now.services().find(object).filter(EndpointSliceMirroring::hasHandMadeEndpoints);
        Optional<Endpoints> endpoints = now.endpoints().find(object).filter(EndpointSliceMirroring::isMirrored);
        if (service.isEmpty() || endpoints.isEmpty()) {
            return EndpointSlices.deletions(mirrored(existing));
        }
        SliceAuthor author = SliceAuthor.of(service.get(), endpoints.get(), sliceSize);
        List<Write> writes = new ArrayList<>();
        Map<Family, Map<SliceGroup, List<WantedEndpoint>>> wanted = byFamily(endpoints.get());
        for (Family family : Family.values()) {
            List<EndpointSlice> own = EndpointSlices.own(author, existing, family);
            Optional.ofNullable(wanted.get(family))
                    .map(groups -> SlicePlan.writes(author, EndpointSlices.emptyGroup(family), groups, own))
                    .ifPresentOrElse(writes::addAll, () -> writes.addAll(EndpointSlices.deletions(own)));
        }
        return service.get().metadata().isTerminating() ? EndpointSlices.withoutNew(writes) : writes;
    }

    private static boolean hasHandMadeEndpoints(Service service) {
        return service.selector().isEmpty() && service.type() != Service.Type.EXTERNAL_NAME;
    }

    private static boolean isMirrored(Endpoints endpoints) {
        Map<String, String> labels = endpoints.metadata().labels();
        return !labels.getOrDefault(SKIP, "").equals("true")
                && !endpoints.metadata().isTerminating();
    }

    private static List<EndpointSlice> mirrored(List<EndpointSlice> slices) {
        return slices.stream()
                .filter(slice -> SliceAuthor.FROM_ENDPOINTS.equals(
                        slice.metadata().labels().get(SliceAuthor.MANAGED_BY)))
                .toList();
    }

    private static Map<Family, Map<SliceGroup, List<WantedEndpoint>>> byFamily(Endpoints endpoints) {
        Map<Family, Map<SliceGroup, List<WantedEndpoint>>> all = new LinkedHashMap<>();
        for (Endpoints.Subset subset : endpoints.subsets()) {
            Stream.concat(
                            subset.addresses().stream().map(address -> endpoint(address, true)),
                            subset.notReadyAddresses().stream().map(address -> endpoint(address, false)))
                    .limit(MAX_PER_SUBSET)
                    .forEach(endpoint -> {
                        Family family = endpoint.identity().address().family();
                        SliceGroup group = new SliceGroup(family, new LinkedHashSet<>(subset.ports()));
                        all.computeIfAbsent(family, _ -> new LinkedHashMap<>())
                                .computeIfAbsent(group, _ -> new ArrayList<>())
                                .add(endpoint);
                    });
        }
        return all;
    }

    private static WantedEndpoint endpoint(Endpoints.Address address, boolean ready) {
        ObjectNode json = Json.object();
        json.putArray("addresses").add(address.ip().toString());
        json.putObject("conditions").put("ready", ready).put("serving", ready).put("terminating", false);
        if (!address.hostname().isEmpty()) {
            json.put("hostname", address.hostname());
        }
        if (!address.nodeName().isEmpty()) {
            json.put("nodeName", address.nodeName());
        }
        if (!address.target().isMissingNode()) {
            json.set("targetRef", address.target());
        }
        return new WantedEndpoint(new WantedEndpoint.Identity(address.ip(), Json.text(address.target(), "uid")), json);
    }
}
