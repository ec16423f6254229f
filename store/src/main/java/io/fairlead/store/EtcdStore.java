package io.fairlead.store;

import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in an etcd cluster, which several processes may share. Its revisions are etcd's own.
///
/// Writes are transactions on the revision of their key, reads ask a majority, and one stream feeds all watches.
public final class EtcdStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EtcdMembers members;
    private final EtcdKeys keys;
    private final EtcdCalls calls;
    private final EtcdReader reader;
    private final EtcdHeartbeat heartbeat;
    private final EtcdHistory history;
    private final WatchHub hub;
    private final AtomicLong answered = new AtomicLong();
    private final TaskGroup tasks = new TaskGroup("etcd");

    private EtcdStore(EtcdLocation location, EtcdMembers members) {
        this.members = members;
        this.keys = new EtcdKeys(location.prefix());
        this.calls = new EtcdCalls(members);
        this.reader = new EtcdReader(calls, keys);
        this.heartbeat = new EtcdHeartbeat(calls, keys);
        this.history = new EtcdHistory(members, keys);
        this.hub = new WatchHub(history, heartbeat.write());
        LOG.info("store=etcd members={} prefix={} revision={}", location.members(), keys.prefix(), hub.published());
        tasks.run("feed", new EtcdFeed(members, keys, heartbeat, hub));
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
    public Outcome put(String key, byte[] value, Revision expected) {
        return write(EtcdTransactions.put(keys.of(key), value, expected));
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return expected.equals(Revision.ZERO)
                ? new Outcome.Conflict(find(key).map(Stored::revision).orElse(Revision.ZERO))
                : write(EtcdTransactions.delete(keys.of(key), expected));
    }

    private Outcome write(TxnRequest request) {
        Outcome outcome = EtcdTransactions.outcome(calls.write(KVGrpc.getTxnMethod(), request));
        if (outcome instanceof Outcome.Done(var revision)) {
            answered.accumulateAndGet(revision.value(), Math::max);
        }
        return outcome;
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

    /// Our own watches have seen what is forgotten here, so that they do not notice.
    @Override
    public void compact(Revision upTo) {
        Revision newest = heartbeat.newest();
        if (upTo.isAfter(newest)) {
            throw new IllegalArgumentException(
                    "cannot compact up to revision %s: the newest is %s".formatted(upTo, newest));
        }
        awaitFed(upTo);
        try {
            CompactionRequest request =
                    CompactionRequest.newBuilder().setRevision(upTo.value()).build();
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
        tasks.close();
        hub.close();
        members.close();
    }
}
