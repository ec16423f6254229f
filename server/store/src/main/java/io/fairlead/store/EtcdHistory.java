package io.fairlead.store;

import io.etcd.jetcd.api.WatchResponse;
import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import io.fairlead.store.Store.Change;
import io.grpc.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The past, read over a watch of its own that ends where the page is full.
final class EtcdHistory implements History {
    private static final int PAGE = 1_000;
    private static final int MOST_ATTEMPTS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final EtcdMembers members;
    private final EtcdEvents events;

    EtcdHistory(EtcdMembers members, EtcdKeys keys) {
        this.members = members;
        this.events = new EtcdEvents(keys);
    }

    /// `upTo` is a revision that the feed has seen, so its event comes and ends the wait.
    @Override
    public Optional<Batch> page(Revision after, Revision upTo) throws InterruptedException {
        for (int attempt = 1; true; attempt++) {
            Channel member = members.current();
            try {
                return Optional.of(read(member, after, upTo));
            } catch (EtcdEvents.GapException e) {
                return Optional.empty();
            } catch (StoreException e) {
                members.leave(member);
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
                Thread.sleep(Duration.ofMillis(20L << Math.min(attempt, 4)));
            }
        }
    }

    private Batch read(Channel member, Revision after, Revision upTo) throws InterruptedException {
        List<Change> changes = new ArrayList<>();
        Revision read = after;
        try (EtcdStream stream = EtcdStream.open(member, events.keys(), after)) {
            while (upTo.isAfter(read) && changes.size() < PAGE) {
                Batch batch = events.batch(awaitNext(stream), read);
                changes.addAll(batch.changes());
                read = batch.upTo();
            }
        }
        // What came after `upTo` the hub has, too.
        changes.removeIf(change -> change.revision().isAfter(upTo));
        return new Batch(changes, read.isAfter(upTo) ? upTo : read);
    }

    private static WatchResponse awaitNext(EtcdStream stream) throws InterruptedException {
        return stream.next(PATIENCE).orElseThrow(() -> new StoreException("etcd does not give its history"));
    }

    /// How far the history is forgotten, when `after` is known to be forgotten.
    Revision compacted(Revision after) {
        try (EtcdStream stream = EtcdStream.open(members.current(), events.keys(), after)) {
            while (true) {
                events.batch(awaitNext(stream), after);
            }
        } catch (EtcdEvents.GapException e) {
            return e.compacted();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while it was asked how far the history is forgotten", e);
        }
    }
}
