package io.fairlead.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fairlead.store.Store.Outcome;
import java.util.List;

/// Compare-and-set of many keys as one transaction of etcd: if each key is at its revision, write them all; if not, say
/// at which each is. Pure.
record EtcdTransactions(EtcdKeys keys) {
    /// The writes are sorted by place, and no two are of the same.
    TxnRequest of(List<StoreWrite.OfKey> writes) {
        TxnRequest.Builder request = TxnRequest.newBuilder();
        for (StoreWrite.OfKey write : writes) {
            ByteString key = keys.of(write.key());
            request.addCompare(isAtExpected(key, write)).addSuccess(operation(key, write));
            RangeRequest look =
                    RangeRequest.newBuilder().setKey(key).setKeysOnly(true).build();
            request.addFailure(RequestOp.newBuilder().setRequestRange(look));
        }
        return request.build();
    }

    /// A key that is not there is at revision 0 for etcd too.
    private static Compare isAtExpected(ByteString key, StoreWrite.OfKey write) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(EtcdRevisions.etcd(write.expected()))
                .build();
    }

    private static RequestOp operation(ByteString key, StoreWrite.OfKey write) {
        RequestOp.Builder operation = RequestOp.newBuilder();
        return switch (write) {
            case Store.Put put ->
                operation
                        .setRequestPut(PutRequest.newBuilder()
                                .setKey(key)
                                .setValue(UnsafeByteOperations.unsafeWrap(put.value()))) // which no caller changes
                        .build();
            case StoreWrite.Delete _ ->
                operation
                        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
                        .build();
        };
    }

    /// What became of the write that was number `index`. A conflict with the revision that was expected is none: only
    /// others stood in its way.
    static Outcome outcome(StoreWrite.OfKey write, TxnResponse response, int index) {
        String key = write.key();
        if (response.getSucceeded()) {
            return new Outcome.Done(EtcdRevisions.of(key, response.getHeader().getRevision()));
        }
        List<KeyValue> found = response.getResponses(index).getResponseRange().getKvsList();
        long actual = found.isEmpty() ? 0 : found.getFirst().getModRevision();
        return new Outcome.Conflict(EtcdRevisions.of(key, actual));
    }
}
