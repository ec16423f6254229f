package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.runtime.TaskGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// Keeps the newest Snapshot of the kinds it is interested in: one watch loop a kind, one owner of the Snapshot.
///
/// Nothing is published until every kind has been listed once, so no reader takes "not told yet" for "gone". When the
/// API server is away, the last Snapshot stays; [#health] tells.
public final class Reflector {
    private static final int MAX_WAITING_BATCHES = 256;

    private final ApiClient client;
    private final List<Interest> interests;
    private final Excerpt excerpt;
    private final BlockingQueue<List<Change>> changes = new ArrayBlockingQueue<>(MAX_WAITING_BATCHES);
    private final Connections connections = new Connections();
    private final List<Latest<Snapshot>> boxes = new ArrayList<>();
    private @Nullable Snapshot published;
    private Snapshot snapshot = Snapshot.EMPTY; // of the thread that owns it alone
    private final Set<Kind> unlisted = new HashSet<>();

    public Reflector(ApiClient client, List<Interest> interests) {
        this(client, interests, Excerpt.WHOLE);
    }

    /// Keeps the excerpt of each object alone: for who needs no more.
    public Reflector(ApiClient client, List<Interest> interests, Excerpt excerpt) {
        this.client = client;
        this.excerpt = excerpt;
        this.interests = List.copyOf(interests);
        Set<Kind> kinds = new HashSet<>();
        for (Interest interest : interests) {
            check(interest.kind(), kinds.add(interest.kind()));
            connections.starting(interest.kind());
            unlisted.add(interest.kind());
        }
    }

    private static void check(Kind kind, boolean first) {
        if (!first) {
            throw new IllegalArgumentException(
                    "two interests in %s: a list of one would hide the other".formatted(kind));
        }
        if (KubernetesObject.of(kind, Json.object()).isEmpty()) {
            throw new IllegalArgumentException("no Snapshot holds a " + kind);
        }
    }

    /// Starts the loops; they end with the group. Those that every change goes through have threads of their own.
    public void run(TaskGroup tasks) {
        Pulse pulse = new Pulse(client);
        tasks.keep("pulse", pulse::run);
        for (Interest interest : interests) {
            WatchLoop loop = new WatchLoop(client, interest, excerpt, new WatchLoop.Told(changes, connections, pulse));
            tasks.keepOnPlatformThread("watch-" + interest.kind().plural(), loop::run);
        }
        tasks.keepOnPlatformThread("reflector", () -> own(tasks.faults()));
    }

    /// A box of the caller's own that always holds the newest Snapshot.
    public Latest<Snapshot> snapshots() {
        synchronized (boxes) {
            Latest<Snapshot> box = new Latest<>();
            if (published != null) {
                box.offer(published);
            }
            boxes.add(box);
            return box;
        }
    }

    public ReflectorHealth health() {
        synchronized (boxes) {
            return new ReflectorHealth(published != null, connections.lostSince());
        }
    }

    private void own(TaskFaults faults) throws InterruptedException {
        while (true) {
            for (Change change : waiting()) {
                try {
                    take(change);
                } catch (RuntimeException e) { // of one object: all others go on
                    faults.ended("reflector", "object", e);
                }
            }
            if (unlisted.isEmpty()) {
                publish(snapshot);
            }
        }
    }

    private void take(Change change) {
        snapshot = change.on(snapshot);
        if (change instanceof Change.Listed listed) {
            unlisted.remove(listed.kind());
        }
    }

    /// Waits for a change, and takes all that came meanwhile with it: a burst becomes one Snapshot.
    private List<Change> waiting() throws InterruptedException {
        List<List<Change>> batches = new ArrayList<>();
        batches.add(changes.take());
        changes.drainTo(batches);
        return batches.stream().flatMap(List::stream).toList();
    }

    private void publish(Snapshot snapshot) {
        synchronized (boxes) {
            published = snapshot;
            boxes.forEach(box -> box.offer(snapshot));
        }
    }
}
