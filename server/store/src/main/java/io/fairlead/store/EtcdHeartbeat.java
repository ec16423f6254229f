package io.fairlead.store;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// How far etcd is, and that our watch gets there too.
///
/// A watch tells only of our keys. When others write to the same etcd, its newest revision may be theirs, and nothing
/// ever says that we have seen all before it. Then we write a key of our own, and see it come. (etcd can be asked for
/// its progress, but before 3.4.31 and 3.5.13 the answer may overtake events that are still on their way.)
final class EtcdHeartbeat {
    private static final Duration ON_ITS_WAY = Duration.ofMillis(50);

    private final EtcdCalls calls;
    private final ByteString key;
    private final ReentrantLock beating = new ReentrantLock();
    private final SharedQuestion newest = new SharedQuestion(this::newest);

    EtcdHeartbeat(EtcdCalls calls, EtcdKeys keys) {
        this.calls = calls;
        this.key = keys.heartbeat();
    }

    /// The newest revision of all that a majority of the members has.
    Revision newest() {
        RangeRequest request =
                RangeRequest.newBuilder().setKey(key).setCountOnly(true).build();
        return EtcdRevisions.end(
                calls.read(KVGrpc.getRangeMethod(), request).getHeader().getRevision());
    }

    /// The newest revision, of which the hub will hear, or of a later one.
    Revision newestFor(WatchHub hub) {
        Revision found = newest.ask();
        if (!hub.awaitPublished(found, ON_ITS_WAY)) {
            beatFor(hub, found);
        }
        return found;
    }

    // One beat is enough for all who wait for it.
    private void beatFor(WatchHub hub, Revision wanted) {
        beating.lock();
        try {
            if (wanted.isAfter(hub.published())) {
                hub.awaitPublished(write(), ON_ITS_WAY);
            }
        } finally {
            beating.unlock();
        }
    }

    /// A beat too many does no harm, so that it is tried as a read is.
    Revision write() {
        PutRequest put = PutRequest.newBuilder().setKey(key).build();
        return EtcdRevisions.end(
                calls.read(KVGrpc.getPutMethod(), put).getHeader().getRevision());
    }
}
