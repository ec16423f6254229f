package io.fairlead.endpoints;

import io.fairlead.api.Endpoints;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the Endpoints object of every Service that selects pods, for those who do not read slices (E7).
public final class EndpointsController implements Controller {
    @Override
    public String name() {
        return "endpoints";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.SERVICE, before, now);
        changed.addAll(Lookup.changed(Kind.ENDPOINTS, before, now));
        for (Pod pod : PodFacts.changedPods(before, now)) {
            now.servicesThatSelect(pod).forEach(service -> changed.add(service.key()));
        }
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now
                .services()
                .find(object)
                .filter(EndpointSlices::areMadeFor)
                .flatMap(service -> write(service, now))
                .stream()
                .toList();
    }

    private static Optional<Write> write(Service service, Snapshot now) {
        List<Pod> pods = now.podsSelectedBy(service.key().namespace(), service.selector());
        ObjectNode tree = EndpointsTree.of(service, pods);
        Optional<Endpoints> existing = now.endpoints().find(service.key());
        if (existing.isEmpty()) {
            // What would come now would stay behind when the Service goes.
            return service.metadata().isTerminating()
                    ? Optional.empty()
                    : Optional.of(new Write.Create(Kind.ENDPOINTS, tree));
        }
        return isSame(Endpoints.of(tree), existing.get())
                ? Optional.empty()
                : Optional.of(new Write.Update(Kind.ENDPOINTS, EndpointsTree.replacing(existing.get(), tree)));
    }

    private static boolean isSame(Endpoints wanted, Endpoints existing) {
        return wanted.metadata().labels().equals(existing.metadata().labels())
                && wanted.subsets().equals(existing.subsets())
                && EndpointsTree.isTruncated(wanted) == EndpointsTree.isTruncated(existing);
    }
}
