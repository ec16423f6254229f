package io.fairlead.store;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.fairlead.api.Revision;
import io.fairlead.store.Store.Listing;
import io.fairlead.store.Store.Stored;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads from a majority of the members, so that no answer is older than one given before.
final class EtcdReader {
    private static final long PAGE = 1_000;
    private static final int MOST_LISTINGS = 3;
    private static final ByteString ZERO_BYTE = ByteString.copyFrom(new byte[1]);
    static final String COMPACTED = "required revision has been compacted";

    private final EtcdCalls calls;
    private final EtcdKeys keys;

    EtcdReader(EtcdCalls calls, EtcdKeys keys) {
        this.calls = calls;
        this.keys = keys;
    }

    Optional<Stored> find(String key) {
        RangeRequest request = RangeRequest.newBuilder().setKey(keys.of(key)).build();
        return calls.read(KVGrpc.getRangeMethod(), request).getKvsList().stream()
                .map(keys::stored)
                .findFirst();
    }

    /// True if all that came after `revision` can still be read, or will be.
    boolean isKept(Revision revision) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(keys.heartbeat())
                .setCountOnly(true)
                .setRevision(Math.max(1, EtcdRevisions.ended(revision)))
                .build();
        try {
            calls.ask(KVGrpc.getRangeMethod(), request);
            return true;
        } catch (EtcdCalls.RefusedException e) {
            if (e.is(Status.Code.OUT_OF_RANGE)) {
                return !e.says(COMPACTED);
            }
            throw e.asFailure();
        }
    }

    /// In pages, all as of the revision of the first. A list that takes so long that its revision is compacted in the
    /// meantime begins again.
    Listing list(String prefix) {
        for (int attempt = 1; true; attempt++) {
            try {
                return pages(prefix);
            } catch (EtcdCalls.RefusedException e) {
                if (!e.says(COMPACTED) || attempt == MOST_LISTINGS) {
                    throw e.asFailure();
                }
            }
        }
    }

    private Listing pages(String prefix) {
        List<Stored> items = new ArrayList<>();
        RangeRequest.Builder request = RangeRequest.newBuilder()
                .setKey(keys.of(prefix))
                .setRangeEnd(keys.end(prefix))
                .setLimit(PAGE);
        RangeResponse page;
        do {
            page = page(request);
            page.getKvsList().forEach(value -> items.add(keys.stored(value)));
            if (request.getRevision() == 0) {
                request.setRevision(page.getHeader().getRevision());
            }
            lastKey(page).ifPresent(last -> request.setKey(last.concat(ZERO_BYTE)));
        } while (page.getMore());
        return new Listing(items, EtcdRevisions.end(request.getRevision()));
    }

    /// Values may be so large that a page of them is more than one answer can hold.
    private RangeResponse page(RangeRequest.Builder request) {
        while (true) {
            try {
                return calls.ask(KVGrpc.getRangeMethod(), request.build());
            } catch (EtcdCalls.RefusedException e) {
                if (!e.is(Status.Code.RESOURCE_EXHAUSTED) || request.getLimit() == 1) {
                    throw e;
                }
                request.setLimit(request.getLimit() / 2);
            }
        }
    }

    private static Optional<ByteString> lastKey(RangeResponse page) {
        List<KeyValue> values = page.getKvsList();
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(values.getLast().getKey());
    }
}
