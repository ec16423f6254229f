package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Outcome;
import io.fairlead.store.Store.Stored;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/// Short words for the tests of this room: values and changes as text.
final class Reading {
    private Reading() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(Stored stored) {
        return new String(stored.value(), StandardCharsets.UTF_8);
    }

    /// The store below `prefix` in an etcd cluster.
    static Store etcd(String addresses, String prefix) {
        return StoreLocation.parse("etcd:%s?prefix=%s".formatted(addresses, prefix))
                .open();
    }

    /// Before the first write of a store that is empty; others may have used the same etcd before.
    static Revision beginning(Store store) {
        return store.list("").revision();
    }

    /// Writes what must succeed, and gives its revision.
    static Revision put(Store store, String key, String value, Revision expected) {
        return done(store.put(key, bytes(value), expected));
    }

    static Revision putNew(Store store, String key, String value) {
        return put(store, key, value, Revision.ZERO);
    }

    static Revision done(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done(var revision) -> revision;
            case Outcome.Conflict(var actual) -> throw new AssertionError("a conflict: the key is at " + actual);
        };
    }

    /// `3 put a=new was old`, `4 delete a was new`
    static String text(Change change) {
        String before = change.previous()
                .map(stored -> " was %s@%s".formatted(text(stored), stored.revision()))
                .orElse("");
        return switch (change) {
            case Change.Put(var stored, var _) ->
                "%s put %s=%s%s".formatted(change.revision(), change.key(), text(stored), before);
            case Change.Delete _ -> "%s delete %s%s".formatted(change.revision(), change.key(), before);
        };
    }

    /// The next `count` changes, or fewer if the watch ends before.
    static List<Change> read(Store.Watch watch, int count) throws InterruptedException {
        List<Change> all = new ArrayList<>();
        while (all.size() < count) {
            Optional<Store.Batch> some = watch.next();
            if (some.isEmpty()) {
                break;
            }
            all.addAll(some.get().changes());
        }
        return all;
    }

    static List<String> readText(Store.Watch watch, int count) throws InterruptedException {
        return read(watch, count).stream().map(Reading::text).toList();
    }

    /// Runs `task` once on each of `threads` threads at the same time, and gives what they gave.
    static <T> List<T> together(int threads, Callable<T> task) throws InterruptedException, ExecutionException {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = executor.invokeAll(
                    IntStream.range(0, threads).mapToObj(_ -> task).toList());
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        }
    }
}
