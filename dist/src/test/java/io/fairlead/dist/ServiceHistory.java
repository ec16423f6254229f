package io.fairlead.dist;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// All that the API said of one Service, with the moment we heard of it.
final class ServiceHistory implements AutoCloseable {
    private final NamespacedName name;
    private final ApiClient client;
    private final TaskGroup tasks = new TaskGroup("history");
    private final List<ServiceView> views = new ArrayList<>();
    private Snapshot last = Snapshot.EMPTY;
    private Revision departed = Revision.ZERO;

    ServiceHistory(ClusterAccess access, NamespacedName name) {
        this.name = name;
        this.client = new ApiClient(access);
        Reflector reflector =
                new Reflector(client, List.of(Interest.all(Kind.SERVICE), Interest.all(Kind.ENDPOINT_SLICE)));
        Latest<Snapshot> snapshots = reflector.snapshots();
        reflector.run(tasks);
        tasks.run("views", () -> follow(snapshots));
    }

    /// The newest revision of anything that a proxy programs.
    synchronized long newest() {
        return last.revision().value();
    }

    /// The newest slice by which an endpoint left: a node that has programmed it leads to no pod that is gone.
    synchronized Revision departed() {
        return departed;
    }

    /// The views that held at any moment of a time, oldest first.
    synchronized List<ServiceView> during(Span span) {
        List<ServiceView> found = new ArrayList<>();
        for (int i = 0; i < views.size(); i++) {
            long until = i + 1 < views.size() ? views.get(i + 1).since() : Long.MAX_VALUE;
            if (views.get(i).since() <= span.to() && until >= span.from()) {
                found.add(views.get(i));
            }
        }
        return found;
    }

    private void follow(Latest<Snapshot> snapshots) throws InterruptedException {
        while (true) {
            add(snapshots.take());
        }
    }

    private synchronized void add(Snapshot snapshot) {
        Service service = snapshot.services().find(name).orElse(null);
        views.add(ServiceView.of(System.nanoTime(), service, snapshot.slicesOf(name)));
        for (EndpointSlice slice : snapshot.slicesOf(name)) {
            Set<String> ready = ready(Optional.of(slice));
            if (!ready.containsAll(ready(last.endpointSlices().find(slice.key())))) {
                departed = slice.metadata().revision();
            }
        }
        last = snapshot;
    }

    private static Set<String> ready(Optional<EndpointSlice> slice) {
        return slice.stream()
                .flatMap(found -> found.endpoints().stream())
                .filter(EndpointSlice.Endpoint::ready)
                .map(EndpointSlice.Endpoint::podUid)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        tasks.close();
        client.close();
    }
}
