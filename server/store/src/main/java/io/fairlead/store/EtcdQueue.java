package io.fairlead.store;

import io.fairlead.api.Revision;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/// The writes that wait to be sent to etcd, and those on their way. Bounded: who finds it full waits for room.
///
/// Of two writes of one place, and so of one key, the second waits until the first is answered.
final class EtcdQueue {
    private static final int CAPACITY = 1_024;
    // etcd takes 128 writes in a transaction, and 1.5 MB, if its operator did not set it otherwise.
    private static final int GROUP = 64;
    private static final int GROUP_BYTES = 512 << 10;
    // So many do not wait for those that are on their way.
    private static final int MANY = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sendable = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private final List<PendingWrite<StoreWrite.OfKey>> waiting = new ArrayList<>();
    private final BitSet onTheirWay = new BitSet();
    private boolean closed;

    void add(PendingWrite<StoreWrite.OfKey> write) {
        lock.lock();
        try {
            while (waiting.size() >= CAPACITY && !closed) {
                emptied.awaitUninterruptibly();
            }
            if (closed) {
                throw closed();
            }
            waiting.add(write);
            if (isEnough()) {
                sendable.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the next group. The thread that takes one gives it back with [#release].
    List<PendingWrite<StoreWrite.OfKey>> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            List<PendingWrite<StoreWrite.OfKey>> group = gather();
            while (group.isEmpty()) {
                sendable.await();
                group = gather();
            }
            emptied.signalAll();
            return group;
        } finally {
            lock.unlock();
        }
    }

    /// Few wait for those that are on their way, and go with all that come meanwhile: a transaction costs etcd and us
    /// more than a write in it.
    private boolean isEnough() {
        return onTheirWay.isEmpty() || waiting.size() >= MANY;
    }

    /// A write that is large goes alone: if it is too large for etcd, no other fails with it.
    private List<PendingWrite<StoreWrite.OfKey>> gather() {
        List<PendingWrite<StoreWrite.OfKey>> group = new ArrayList<>();
        if (!isEnough()) {
            return group;
        }
        int keys = 0;
        int bytes = 0;
        for (Iterator<PendingWrite<StoreWrite.OfKey>> each = waiting.iterator(); each.hasNext() && keys < GROUP; ) {
            PendingWrite<StoreWrite.OfKey> next = each.next();
            int size = next.writes().stream().mapToInt(StoreWrite.OfKey::size).sum();
            boolean fits = keys + next.writes().size() <= GROUP && bytes + size <= GROUP_BYTES;
            if ((fits || group.isEmpty()) && places(next).noneMatch(onTheirWay::get)) {
                places(next).forEach(onTheirWay::set);
                group.add(next);
                each.remove();
                keys += next.writes().size();
                bytes += size;
            }
        }
        return group;
    }

    private static IntStream places(PendingWrite<StoreWrite.OfKey> write) {
        return write.writes().stream().mapToInt(one -> EtcdRevisions.place(one.key()));
    }

    /// Whether these can go in one transaction.
    static boolean fitTogether(List<? extends StoreWrite.OfKey> writes) {
        BitSet places = new BitSet();
        writes.forEach(write -> places.set(EtcdRevisions.place(write.key())));
        return writes.size() <= GROUP && places.cardinality() == writes.size();
    }

    /// The writes of `group` are answered: others of the same places may go, but for those that have lost by it.
    void release(List<PendingWrite<StoreWrite.OfKey>> group) {
        lock.lock();
        try {
            group.forEach(write -> places(write).forEach(onTheirWay::clear));
            if (!waiting.isEmpty()) {
                waiting.removeAll(losers(group));
                sendable.signal();
                emptied.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Answers those that wait and expect less than their key is known to have: no need to ask etcd one by one.
    private List<PendingWrite<StoreWrite.OfKey>> losers(List<PendingWrite<StoreWrite.OfKey>> group) {
        Map<String, Revision> known = new HashMap<>();
        group.forEach(write -> known.putAll(write.reached()));
        List<PendingWrite<StoreWrite.OfKey>> losers = new ArrayList<>();
        for (PendingWrite<StoreWrite.OfKey> write : waiting) {
            if (write.writes().stream().anyMatch(one -> loses(one, known))) {
                write.answer(
                        write.writes().stream().map(one -> conflict(one, known)).toList());
                losers.add(write);
            }
        }
        return losers;
    }

    private static boolean loses(StoreWrite.OfKey write, Map<String, Revision> known) {
        return known.getOrDefault(write.key(), Revision.ZERO).isAfter(write.expected());
    }

    private static Store.Outcome conflict(StoreWrite.OfKey write, Map<String, Revision> known) {
        return new Store.Outcome.Conflict(
                loses(write, known) ? known.getOrDefault(write.key(), Revision.ZERO) : write.expected());
    }

    /// Takes no more, and gives up what waits.
    void close() {
        lock.lock();
        try {
            closed = true;
            waiting.forEach(write -> write.fail(closed()));
            waiting.clear();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static StoreException closed() {
        return new StoreException("the store is closed");
    }
}
