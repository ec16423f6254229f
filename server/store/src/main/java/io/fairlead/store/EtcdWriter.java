package io.fairlead.store;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnResponse;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// One that writes: takes all writes that wait and sends them as one transaction. While it is on its way the next ones
/// gather.
final class EtcdWriter implements TaskGroup.Task {
    private final EtcdQueue queue;
    private final EtcdCalls calls;
    private final EtcdTransactions transactions;

    EtcdWriter(EtcdQueue queue, EtcdCalls calls, EtcdKeys keys) {
        this.queue = queue;
        this.calls = calls;
        this.transactions = new EtcdTransactions(keys);
    }

    @Override
    public void run() throws InterruptedException {
        while (true) {
            List<PendingWrite<StoreWrite.OfKey>> group = queue.take();
            try {
                write(group);
            } finally {
                queue.release(group);
            }
        }
    }

    /// Whatever goes wrong is the answer of all: no writer may wait for ever.
    private void write(List<PendingWrite<StoreWrite.OfKey>> group) {
        List<PendingWrite<StoreWrite.OfKey>> left = group;
        try {
            while (!left.isEmpty()) {
                left = send(left);
            }
        } catch (EtcdCalls.RefusedException e) {
            refused(left, e);
        } catch (StoreException e) {
            left.forEach(write -> write.fail(e));
        } catch (RuntimeException | Error e) {
            StoreException fault = new StoreException(StoreException.Kind.UNCERTAIN, "a write to etcd failed: " + e, e);
            left.forEach(write -> write.fail(fault));
        }
    }

    /// What etcd refuses, it does not do. It may mind only one of the writes, or that there are so many.
    private void refused(List<PendingWrite<StoreWrite.OfKey>> group, EtcdCalls.RefusedException refusal) {
        if (group.size() == 1) {
            group.getFirst().fail(refusal.asFailure());
        } else {
            group.forEach(write -> write(List.of(write)));
        }
    }

    /// All are written, or none. Then those that cannot be are answered, at least one, and the others come back.
    private List<PendingWrite<StoreWrite.OfKey>> send(List<PendingWrite<StoreWrite.OfKey>> group) {
        List<StoreWrite.OfKey> writes = group.stream()
                .flatMap(write -> write.writes().stream())
                .sorted(Comparator.comparingInt(write -> EtcdRevisions.place(write.key())))
                .toList();
        TxnResponse response = calls.send(KVGrpc.getTxnMethod(), transactions.of(writes));
        Map<String, Outcome> outcomes = new HashMap<>();
        for (int i = 0; i < writes.size(); i++) {
            outcomes.put(writes.get(i).key(), EtcdTransactions.outcome(writes.get(i), response, i));
        }
        return undecided(group, outcomes);
    }

    private static List<PendingWrite<StoreWrite.OfKey>> undecided(
            List<PendingWrite<StoreWrite.OfKey>> group, Map<String, Outcome> outcomes) {
        List<PendingWrite<StoreWrite.OfKey>> undecided = new ArrayList<>();
        for (PendingWrite<StoreWrite.OfKey> write : group) {
            List<Outcome> own = write.writes().stream()
                    .map(one -> Objects.requireNonNull(outcomes.get(one.key())))
                    .toList();
            boolean heldBack = write.writes().stream()
                    .allMatch(one -> new Outcome.Conflict(one.expected()).equals(outcomes.get(one.key())));
            if (heldBack) {
                undecided.add(write);
            } else {
                write.answer(own);
            }
        }
        return undecided;
    }
}
