package io.fairlead.store;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fairlead.api.Revision;
import io.fairlead.store.Store.Outcome;

/// Compare-and-set as etcd's transactions: if the key is at a revision, write it; if not, say at which it is. Pure.
final class EtcdTransactions {
    private EtcdTransactions() {}

    /// A key that is not there is at revision 0 for etcd too.
    static TxnRequest put(ByteString key, byte[] value, Revision expected) {
        PutRequest put = PutRequest.newBuilder()
                .setKey(key)
                .setValue(ByteString.copyFrom(value))
                .build();
        return ifAt(key, expected, RequestOp.newBuilder().setRequestPut(put));
    }

    /// `expected` is not zero: then there would be nothing to delete.
    static TxnRequest delete(ByteString key, Revision expected) {
        DeleteRangeRequest delete = DeleteRangeRequest.newBuilder().setKey(key).build();
        return ifAt(key, expected, RequestOp.newBuilder().setRequestDeleteRange(delete));
    }

    private static TxnRequest ifAt(ByteString key, Revision expected, RequestOp.Builder write) {
        Compare atExpected = Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(expected.value())
                .build();
        RangeRequest look =
                RangeRequest.newBuilder().setKey(key).setKeysOnly(true).build();
        return TxnRequest.newBuilder()
                .addCompare(atExpected)
                .addSuccess(write)
                .addFailure(RequestOp.newBuilder().setRequestRange(look))
                .build();
    }

    static Outcome outcome(TxnResponse response) {
        if (response.getSucceeded()) {
            return new Outcome.Done(new Revision(response.getHeader().getRevision()));
        }
        long actual = response.getResponses(0).getResponseRange().getKvsList().stream()
                .mapToLong(value -> value.getModRevision())
                .findFirst()
                .orElse(0);
        return new Outcome.Conflict(new Revision(actual));
    }
}
