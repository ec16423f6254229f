package io.fairlead.store;

import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in an etcd cluster, which several processes may share.
///
/// Writes that come together are one transaction, reads ask a majority, and one stream feeds all watches.
public final class EtcdStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    // While etcd makes one group durable, the next may be on its way.
    private static final int WRITERS = 2;

    private final EtcdMembers members;
    private final EtcdKeys keys;
    private final EtcdCalls calls;
    private final EtcdReader reader;
    private final EtcdHeartbeat heartbeat;
    private final EtcdHistory history;
    private final WatchHub hub;
    private final AtomicLong answered = new AtomicLong();
    private final EtcdQueue queue = new EtcdQueue();
    private final TaskGroup feeding = new TaskGroup("etcd");
    private final TaskGroup writing = new TaskGroup("etcd-writers");

    private EtcdStore(EtcdLocation location, EtcdMembers members) {
        this.members = members;
        this.keys = new EtcdKeys(location.prefix());
        this.calls = new EtcdCalls(members);
        this.reader = new EtcdReader(calls, keys);
        this.heartbeat = new EtcdHeartbeat(calls, keys);
        this.history = new EtcdHistory(members, keys);
        this.hub = new WatchHub(history, heartbeat.write());
        LOG.info(
                "event=store-opened store=etcd members={} prefix={} revision={}",
                location.members(),
                keys.prefix(),
                hub.published());
        feeding.keep("feed", new EtcdFeed(members, keys, heartbeat, hub));
        for (int i = 0; i < WRITERS; i++) {
            writing.run("writer" + i, new EtcdWriter(queue, calls, keys));
        }
    }

    /// Connects, and throws a [StoreException] if no member of the cluster answers.
    public static EtcdStore open(EtcdLocation location) {
        EtcdMembers members = EtcdMembers.of(location);
        boolean open = false;
        try {
            EtcdStore store = new EtcdStore(location, members);
            open = true;
            return store;
        } finally {
            if (!open) {
                members.close();
            }
        }
    }

    @Override
    public List<Outcome> put(List<Put> puts) {
        if (EtcdQueue.fitTogether(puts)) {
            return write(puts);
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (Put put : puts) {
            boolean allDone = outcomes.stream().allMatch(Outcome.Done.class::isInstance);
            outcomes.add(allDone ? write(List.of(put)).getFirst() : new Outcome.Conflict(put.expected()));
        }
        return outcomes;
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return expected.equals(Revision.ZERO)
                ? conflict(key)
                : write(List.of(new StoreWrite.Delete(key, expected))).getFirst();
    }

    private Outcome conflict(String key) {
        return new Outcome.Conflict(find(key).map(Stored::revision).orElse(Revision.ZERO));
    }

    private List<Outcome> write(List<? extends StoreWrite.OfKey> writes) {
        if (!writes.stream().allMatch(EtcdStore::isPossible)) {
            return writes.stream()
                    .map(write -> isPossible(write) ? new Outcome.Conflict(write.expected()) : conflict(write.key()))
                    .toList();
        }
        PendingWrite<StoreWrite.OfKey> pending = new PendingWrite<>(writes);
        queue.add(pending);
        List<Outcome> outcomes = pending.await();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Done(var revision)) {
                answered.accumulateAndGet(revision.value(), Math::max);
            }
        }
        return outcomes;
    }

    /// False if a write expects a revision that was another key's.
    private static boolean isPossible(StoreWrite.OfKey write) {
        return EtcdRevisions.isOf(write.key(), write.expected());
    }

    @Override
    public Optional<Stored> find(String key) {
        return reader.find(key);
    }

    @Override
    public Listing list(String prefix) {
        return reader.list(prefix);
    }

    @Override
    public Revision revision() {
        return heartbeat.newestFor(hub);
    }

    @Override
    public Watch watch(String prefix, Revision after) {
        calls.requireOpen();
        awaitFed(new Revision(answered.get()));
        if (!reader.isKept(after)) {
            throw new CompactedException(after, history.compacted(after));
        }
        return hub.join(prefix, after);
    }

    @Override
    public Revision before(Revision revision, long writes) {
        long etcd = EtcdRevisions.etcd(revision) - writes;
        return etcd > 0 ? EtcdRevisions.end(etcd) : Revision.ZERO;
    }

    /// Our own watches have seen what is forgotten here, so that they do not notice. The transaction that `upTo` is in
    /// stays: who saw a part of it, and no more, can go on.
    @Override
    public void compact(Revision upTo) {
        Revision newest = heartbeat.newest();
        if (upTo.isAfter(newest)) {
            throw new IllegalArgumentException(
                    "cannot compact up to revision %s: the newest is %s".formatted(upTo, newest));
        }
        awaitFed(upTo);
        try {
            long etcd = Math.max(1, EtcdRevisions.etcd(upTo) - 1);
            CompactionRequest request =
                    CompactionRequest.newBuilder().setRevision(etcd).build();
            calls.ask(KVGrpc.getCompactMethod(), request); // to forget twice does no harm
        } catch (EtcdCalls.RefusedException e) {
            if (!e.says(EtcdReader.COMPACTED)) {
                throw e.asFailure();
            }
        }
    }

    @Override
    public boolean isShared() {
        return true;
    }

    private void awaitFed(Revision wanted) {
        if (!hub.awaitPublished(wanted, PATIENCE)) {
            calls.requireOpen();
            throw new StoreException("etcd does not tell of its changes up to revision " + wanted);
        }
    }

    /// Ends the watches and the connections. What others wait for fails.
    @Override
    public void close() {
        calls.close();
        queue.close();
        feeding.close();
        hub.close();
        members.close();
        writing.close(); // the last, because what is on its way ends with the connections
    }
}
