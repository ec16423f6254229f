package io.fairlead.client;

import io.fairlead.api.KubernetesObject;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Revision;
import io.fairlead.runtime.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists one kind, then watches it for ever; what it learns goes to the owner of the Snapshot.
///
/// A watch that ends is taken up again after the last revision that it brought. Only a 410 (that revision is no longer
/// kept) makes it list again.
final class WatchLoop {
    private static final int MAX_BATCH = 1000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /// How often we ask again for a kind that the API server does not have: it may be upgraded.
    private static final Duration ABSENCE = Duration.ofMinutes(1);

    /// Where a loop reports what it learns.
    record Told(BlockingQueue<List<Change>> changes, Connections connections, Pulse pulse) {}

    private final ApiClient client;
    private final Interest interest;
    private final BlockingQueue<List<Change>> changes;
    private final Connections connections;
    private final Pulse pulse;
    private final Excerpt excerpt;
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault());
    private Revision seen = Revision.ZERO;
    private boolean listed;

    WatchLoop(ApiClient client, Interest interest, Excerpt excerpt, Told told) {
        this.client = client;
        this.interest = interest;
        this.excerpt = excerpt;
        this.changes = told.changes();
        this.connections = told.connections();
        this.pulse = told.pulse();
    }

    /// Begins with a list, also after a failure: what it has told by then is not known.
    void run() throws InterruptedException {
        listed = false;
        while (true) {
            Revision before = seen;
            try {
                follow();
            } catch (ApiException e) {
                if (interest.optional() && !listed && isAbsent(e)) {
                    connections.absent(interest.kind(), String.valueOf(e.getMessage()));
                    changes.put(List.of(new Change.Listed(interest.kind(), List.of(), seen)));
                    Thread.sleep(ABSENCE);
                    continue;
                }
                listed &= !e.isGone();
                connections.lost(interest.kind(), String.valueOf(e.getMessage()));
            }
            pauseUnlessProgress(before);
        }
    }

    private static boolean isAbsent(ApiException e) {
        return e.isNotFound() || e.code() == 403;
    }

    // A server that ends each watch at once must not be asked without pause; one that tells something may.
    private void pauseUnlessProgress(Revision before) throws InterruptedException {
        if (listed && seen.isAfter(before)) {
            backoff.reset();
        } else {
            pulse.pause(backoff.next());
        }
    }

    private void follow() throws InterruptedException {
        if (!listed) {
            list();
        }
        try (Watch watch = client.watch(interest, interest.namespace(), seen)) {
            connections.live(interest.kind());
            while (forwardBatch(watch)) {
                // the watch goes on
            }
        }
    }

    private void list() throws InterruptedException {
        ListReader.Page list = client.read(interest, excerpt);
        changes.put(List.of(new Change.Listed(interest.kind(), list.objects(), list.revision())));
        seen = list.revision();
        listed = true;
    }

    /// Waits for an event, and hands it on with all that came with it; false at the end of the watch.
    private boolean forwardBatch(Watch watch) throws InterruptedException {
        List<WatchEvent<ObjectNode>> events = new ArrayList<>();
        try {
            boolean goesOn = collect(watch, events);
            forward(events);
            return goesOn;
        } catch (ApiException e) {
            forward(events); // what the watch brought before the failure counts
            throw e;
        }
    }

    private static boolean collect(Watch watch, List<WatchEvent<ObjectNode>> events) throws InterruptedException {
        do {
            Optional<WatchEvent<ObjectNode>> event = watch.next();
            if (event.isEmpty()) {
                return false;
            }
            events.add(event.get());
        } while (events.size() < MAX_BATCH && watch.isReady());
        return true;
    }

    private void forward(List<WatchEvent<ObjectNode>> events) throws InterruptedException {
        List<Change> batch = new ArrayList<>();
        for (WatchEvent<ObjectNode> event : events) {
            change(event).ifPresent(batch::add);
        }
        if (!batch.isEmpty()) {
            changes.put(batch);
        }
        if (!events.isEmpty()) {
            seen = revisionOf(events.getLast());
        }
    }

    private Optional<Change> change(WatchEvent<ObjectNode> event) {
        return switch (event) {
            case WatchEvent.Added<ObjectNode>(ObjectNode object) -> Optional.of(new Change.Stored(view(object)));
            case WatchEvent.Modified<ObjectNode>(ObjectNode object) -> Optional.of(new Change.Stored(view(object)));
            case WatchEvent.Deleted<ObjectNode>(ObjectNode object) -> Optional.of(new Change.Removed(view(object)));
            case WatchEvent.Bookmark<ObjectNode> _ -> Optional.empty();
        };
    }

    private static Revision revisionOf(WatchEvent<ObjectNode> event) {
        return switch (event) {
            case WatchEvent.Added<ObjectNode>(ObjectNode object) ->
                ObjectMeta.of(object).revision();
            case WatchEvent.Modified<ObjectNode>(ObjectNode object) ->
                ObjectMeta.of(object).revision();
            case WatchEvent.Deleted<ObjectNode>(ObjectNode object) ->
                ObjectMeta.of(object).revision();
            case WatchEvent.Bookmark<ObjectNode>(Revision revision) -> revision;
        };
    }

    private KubernetesObject view(JsonNode object) {
        return excerpt.of().apply(KubernetesObject.of(interest.kind(), object).orElseThrow());
    }
}
