package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Json;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The slices of a Service as a pure function of the Service, its pods and the nodes.
public final class EndpointSlices {
    /// How many endpoints a slice has at most, where nothing else is said.
    public static final int DEFAULT_SIZE = 100;

    private EndpointSlices() {}

    /// The slices that the Service wants where there are none yet, with names of their own (`hello-ipv4-1`); none for
    /// a Service whose endpoints are not made from pods. `pods` may be all pods there are, `nodes` is by name.
    public static List<ObjectNode> of(Service service, Collection<Pod> pods, Map<String, Node> nodes) {
        List<ObjectNode> slices = new ArrayList<>();
        for (Write write : writes(service, pods, nodes, List.of(), DEFAULT_SIZE)) {
            if (write instanceof Write.Create(var _, ObjectNode slice)) {
                slices.add(slice);
            }
        }
        for (int i = 0; i < slices.size(); i++) {
            ObjectNode slice = slices.get(i);
            String family = Json.text(slice, "addressType").toLowerCase(Locale.ROOT);
            slice.withObject("metadata")
                    .put("name", "%s-%s-%d".formatted(service.key().name(), family, i + 1))
                    .remove("generateName");
        }
        return slices;
    }

    /// True if the endpoints of the Service are made from pods.
    static boolean areMadeFor(Service service) {
        return !service.selector().isEmpty() && service.type() != Service.Type.EXTERNAL_NAME;
    }

    /// The writes that make `existing` right; slices of other authors are not touched.
    static List<Write> writes(
            Service service, Collection<Pod> pods, Map<String, Node> nodes, List<EndpointSlice> existing, int size) {
        if (!areMadeFor(service)) {
            return List.of();
        }
        SliceAuthor author = SliceAuthor.of(service, pods, existing, size);
        Hints hints = new Hints(service, nodes.values());
        List<Write> writes = new ArrayList<>();
        var wanted = new WantedEndpoints(service, pods, nodes).byFamily();
        for (Family family : Family.values()) {
            List<EndpointSlice> own = own(author, existing, family);
            Optional.ofNullable(wanted.get(family))
                    .map(groups -> SlicePlan.writes(author, emptyGroup(family), hints.given(groups), own))
                    .ifPresentOrElse(writes::addAll, () -> writes.addAll(deletions(own)));
        }
        if (service.metadata().isTerminating()) {
            return withoutNew(writes);
        }
        writes.addAll(hints.notes());
        return writes;
    }

    /// For a Service that is about to go: its slices follow its pods to the end, but what would be created now might
    /// come after those that are deleted with it.
    static List<Write> withoutNew(List<Write> writes) {
        return writes.stream().filter(write -> !(write instanceof Write.Create)).toList();
    }

    static List<EndpointSlice> own(SliceAuthor author, List<EndpointSlice> existing, Family family) {
        return existing.stream()
                .filter(author::wrote)
                .filter(slice -> slice.addressType().equals(family.toString()))
                .filter(slice -> !slice.metadata().isTerminating())
                .sorted(Comparator.comparing(EndpointSlice::key))
                .toList();
    }

    static SliceGroup emptyGroup(Family family) {
        return new SliceGroup(family, new LinkedHashSet<>());
    }

    static List<Write> deletions(List<EndpointSlice> slices) {
        return slices.stream()
                .<Write>map(slice -> new Write.Delete(
                        slice.kind(), slice.key(), slice.metadata().uid()))
                .toList();
    }
}
