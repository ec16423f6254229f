package io.fairlead.store;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnResponse;
import io.fairlead.runtime.TaskGroup;
import java.util.ArrayList;
import java.util.List;

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
            List<PendingWrite<Write.OfKey>> group = queue.take();
            try {
                write(group);
            } finally {
                queue.release(group);
            }
        }
    }

    /// Whatever goes wrong is the answer of all: nobody may wait for ever.
    private void write(List<PendingWrite<Write.OfKey>> group) {
        List<PendingWrite<Write.OfKey>> left = group;
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
    private void refused(List<PendingWrite<Write.OfKey>> group, EtcdCalls.RefusedException refusal) {
        if (group.size() == 1) {
            group.getFirst().fail(refusal.asFailure());
        } else {
            group.forEach(write -> write(List.of(write)));
        }
    }

    /// All are written, or none. Then those that cannot be are answered, at least one, and the others come back.
    private List<PendingWrite<Write.OfKey>> send(List<PendingWrite<Write.OfKey>> group) {
        TxnResponse response = calls.send(
                KVGrpc.getTxnMethod(),
                transactions.of(group.stream().map(PendingWrite::write).toList()));
        List<PendingWrite<Write.OfKey>> undecided = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            PendingWrite<Write.OfKey> write = group.get(i);
            EtcdTransactions.outcome(write.write(), response, i)
                    .ifPresentOrElse(write::answer, () -> undecided.add(write));
        }
        return undecided;
    }
}
