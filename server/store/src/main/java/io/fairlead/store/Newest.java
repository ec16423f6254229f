package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Listing;
import io.fairlead.store.Store.Stored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The newest value of every key, sorted, as of one revision. Many read it, one writes it.
final class Newest {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final TreeMap<String, Stored> values = new TreeMap<>();
    private Revision revision;

    Newest(Collection<Stored> values, Revision revision) {
        values.forEach(stored -> this.values.put(stored.key(), stored));
        this.revision = revision;
    }

    Optional<Stored> find(String key) {
        lock.readLock().lock();
        try {
            return Optional.ofNullable(values.get(key));
        } finally {
            lock.readLock().unlock();
        }
    }

    Listing list(String prefix) {
        lock.readLock().lock();
        try {
            return new Listing(startingWith(prefix), revision);
        } finally {
            lock.readLock().unlock();
        }
    }

    private List<Stored> startingWith(String prefix) {
        List<Stored> found = new ArrayList<>();
        for (Stored stored : values.tailMap(prefix, true).values()) {
            if (!stored.key().startsWith(prefix)) {
                break;
            }
            found.add(stored);
        }
        return found;
    }

    Revision revision() {
        lock.readLock().lock();
        try {
            return revision;
        } finally {
            lock.readLock().unlock();
        }
    }

    /// All of the changes at once: no reader sees a part of them.
    void apply(List<Change> changes) {
        lock.writeLock().lock();
        try {
            changes.forEach(this::apply);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void apply(Change change) {
        switch (change) {
            case Change.Put(var stored, var _) -> values.put(stored.key(), stored);
            case Change.Delete delete -> values.remove(delete.key());
        }
        revision = change.revision();
    }
}
