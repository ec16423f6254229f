package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// All objects of one kind, and the recent changes to them.
///
/// A watcher has no queue of its own, only a place in the one bounded list of recent changes. One that is so slow that
/// its place has been dropped learns so and must list again; it is never skipped ahead (K20).
public final class KindCache {
    public static final int RECENT = 8192;

    /// Objects, and the revision of which they are the state.
    public record Listing(List<ApiObject> items, Revision revision) {}

    /// The changes after some revision, and the revision up to which these are all.
    public record Batch(List<CacheEvent> events, Revision upTo) {}

    /// All changes after some revision, up to a state.
    record Past(List<CacheEvent> events, Revision after) {}

    private final ReentrantLock lock = new ReentrantLock();
    // Who waits for a change. Each is woken by itself: a condition would send a thousand of them through the lock in a
    // row.
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private final NavigableMap<NamespacedName, ApiObject> objects = new TreeMap<>();
    // The same, for those who ask for one of them: every write does, several times, and none should wait for a list.
    private volatile Map<NamespacedName, ApiObject> byKey = new ConcurrentHashMap<>();
    private final Deque<CacheEvent> recent = new ArrayDeque<>();
    private final Kind kind;
    private final Supplier<Revision> everything;
    private volatile Revision newest = Revision.ZERO;
    private Revision forgotten = Revision.ZERO;
    private volatile boolean ended;
    private boolean untold; // touched by the one who applies changes

    /// `everything` says up to which revision the changes of all kinds have been applied.
    public KindCache(Kind kind, Supplier<Revision> everything) {
        this.kind = kind;
        this.everything = everything;
    }

    public Kind kind() {
        return kind;
    }

    /// The last change to an object of this kind.
    Revision newest() {
        return newest;
    }

    /// The name of an object that differs from the one of `key` only in case.
    Optional<String> findInOtherCase(NamespacedName key) {
        return list(key.namespace()).items().stream()
                .map(object -> object.key().name())
                .filter(name -> name.equalsIgnoreCase(key.name()))
                .findFirst();
    }

    public Optional<ApiObject> find(NamespacedName key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /// How many objects there are.
    public int size() {
        return byKey.size();
    }

    /// How many recent changes are kept for watches.
    public int recent() {
        lock.lock();
        try {
            return recent.size();
        } finally {
            lock.unlock();
        }
    }

    /// The objects of a namespace, or of all where `namespace` is empty, sorted by key.
    public Listing list(String namespace) {
        lock.lock();
        try {
            return new Listing(List.copyOf(in(namespace, objects).values()), revision());
        } finally {
            lock.unlock();
        }
    }

    /// The same as it was at `past`: what happened since is undone. Throws a 410 if that is no longer known.
    public Listing listAt(String namespace, Revision past) {
        lock.lock();
        try {
            checkKnown(past);
            if (!newest.isAfter(past)) {
                return new Listing(list(namespace).items(), past);
            }
            NavigableMap<NamespacedName, ApiObject> then = new TreeMap<>(objects);
            eventsAfter(past).reversed().forEach(event -> event.undo(then));
            return new Listing(List.copyOf(in(namespace, then).values()), past);
        } finally {
            lock.unlock();
        }
    }

    private static NavigableMap<NamespacedName, ApiObject> in(
            String namespace, NavigableMap<NamespacedName, ApiObject> objects) {
        return namespace.isEmpty()
                ? objects
                : objects.subMap(
                        new NamespacedName(namespace, ""),
                        true,
                        new NamespacedName(namespace + Character.MIN_VALUE, ""),
                        false);
    }

    /// Waits for changes after `after`, but no longer than `patience`: then there are none.
    ///
    /// Nothing comes back once the server is closing. Throws a 410 if some of the changes are no longer here.
    public Optional<Batch> await(Revision after, Duration patience) throws InterruptedException {
        if (!newest.isAfter(after)) {
            awaitChange(after, patience);
        }
        lock.lockInterruptibly();
        try {
            checkKnown(after);
            return ended ? Optional.empty() : Optional.of(new Batch(eventsAfter(after), revision()));
        } finally {
            lock.unlock();
        }
    }

    private void awaitChange(Revision after, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        waiting.add(Thread.currentThread());
        try {
            for (long left = patience.toNanos();
                    left > 0 && !ended && !newest.isAfter(after);
                    left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /// Wakes those who wait, if there is something to tell since the last time.
    void tell() {
        if (untold) {
            untold = false;
            waiting.forEach(LockSupport::unpark);
        }
    }

    /// Throws a 410 if changes after `after` are no longer here.
    private void checkKnown(Revision after) {
        lock.lock();
        try {
            if (forgotten.isAfter(after)) {
                throw StatusException.expired(after, forgotten);
            }
        } finally {
            lock.unlock();
        }
    }

    void put(ApiObject object) {
        change(CacheEvent.put(byKey.get(object.key()), object), () -> {
            objects.put(object.key(), object);
            byKey.put(object.key(), object);
        });
    }

    void delete(NamespacedName key, Revision revision) {
        ApiObject last = byKey.get(key);
        if (last != null) {
            change(CacheEvent.delete(last, revision), () -> {
                objects.remove(key);
                byKey.remove(key);
            });
        }
    }

    /// Starts from a state and what is known of the changes before it: a watcher from before that has to list again.
    void reset(Listing state, Past past) {
        lock.lock();
        try {
            objects.clear();
            state.items().forEach(item -> objects.put(item.key(), item));
            byKey = new ConcurrentHashMap<>(objects);
            recent.clear();
            recent.addAll(past.events);
            newest = state.revision();
            forgotten = past.after;
            untold = true;
        } finally {
            lock.unlock();
        }
    }

    /// Ends every wait: the server is closing.
    void end() {
        ended = true;
        waiting.forEach(LockSupport::unpark);
    }

    private void change(CacheEvent event, Runnable apply) {
        lock.lock();
        try {
            apply.run();
            recent.addLast(event);
            newest = event.revision();
            if (recent.size() > RECENT) {
                forgotten = recent.removeFirst().revision();
            }
            untold = true;
        } finally {
            lock.unlock();
        }
    }

    private List<CacheEvent> eventsAfter(Revision after) {
        List<CacheEvent> events = new ArrayList<>();
        Iterator<CacheEvent> backwards = recent.descendingIterator();
        @Nullable CacheEvent event = backwards.hasNext() ? backwards.next() : null;
        while (event != null && event.revision().isAfter(after)) {
            events.add(event);
            event = backwards.hasNext() ? backwards.next() : null;
        }
        Collections.reverse(events);
        return events;
    }

    /// Under the lock no change of this kind can be applied, so the later of the two is a revision of which `objects`
    /// is the state.
    private Revision revision() {
        Revision all = everything.get();
        return all.isAfter(newest) ? all : newest;
    }
}
