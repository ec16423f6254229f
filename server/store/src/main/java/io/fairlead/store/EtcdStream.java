package io.fairlead.store;

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.fairlead.api.Revision;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// One watch as etcd gives it, read by one thread. It asks for no more answers than it has room for, so etcd
/// waits for a slow reader.
final class EtcdStream implements AutoCloseable {
    private static final int ROOM = 16;

    // The generated messages are older than these fields: large answers may come in parts, and one that does says so
    // (WatchCreateRequest.fragment = 8, WatchResponse.fragment = 7).
    private static final UnknownFieldSet FRAGMENT = UnknownFieldSet.newBuilder()
            .addField(8, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    private static final int IS_FRAGMENT = 7;

    private sealed interface Received {
        record Response(WatchResponse response) implements Received {}

        record Broken(Status status) implements Received {}
    }

    private final BlockingQueue<Received> received = new ArrayBlockingQueue<>(ROOM + 1);
    private final Handover handover = new Handover();

    private EtcdStream() {}

    /// Watches all keys of ours after `after`.
    static EtcdStream open(Channel channel, EtcdKeys keys, Revision after) {
        EtcdStream stream = new EtcdStream();
        var requests = WatchGrpc.newStub(EtcdCall.needingLeader(channel)).watch(stream.handover);
        // From one that we have: if that is compacted, so may be a delete after it. No write has revision 1.
        WatchCreateRequest create = WatchCreateRequest.newBuilder()
                .setKey(keys.first())
                .setRangeEnd(keys.end(""))
                .setStartRevision(Math.max(1, EtcdRevisions.ended(after)))
                .setPrevKv(true)
                .setUnknownFields(FRAGMENT)
                .build();
        requests.onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
        return stream;
    }

    /// Whether more of the same answer is to come.
    static boolean isPart(WatchResponse response) {
        return response.getUnknownFields().getField(IS_FRAGMENT).getVarintList().contains(1L);
    }

    /// The next answer; nothing if none comes for so long. Throws a [StoreException] when the connection is lost.
    Optional<WatchResponse> next(Duration patience) throws InterruptedException {
        return switch (received.poll(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            case null -> Optional.empty();
            case Received.Response(var response) -> {
                handover.requestOne();
                yield Optional.of(response);
            }
            case Received.Broken(var status) ->
                throw new StoreException(
                        "the watch on etcd broke off: " + status.getDescription(), status.asRuntimeException());
        };
    }

    @Override
    public void close() {
        handover.cancel();
    }

    /// Runs on a thread of gRPC, and so only passes on.
    private final class Handover implements ClientResponseObserver<WatchRequest, WatchResponse> {
        private volatile ClientCallStreamObserver<WatchRequest> call;

        @SuppressWarnings("NullAway.Init") // set by beforeStart, before anything else
        private Handover() {}

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
            call = started;
            started.disableAutoRequestWithInitial(ROOM);
        }

        void requestOne() {
            call.request(1);
        }

        void cancel() {
            call.cancel("the watch is closed", null);
        }

        @Override
        public void onNext(WatchResponse response) {
            received.add(new Received.Response(response));
        }

        @Override
        public void onError(Throwable failure) {
            received.offer(new Received.Broken(Status.fromThrowable(failure)));
        }

        @Override
        public void onCompleted() {
            received.offer(new Received.Broken(Status.UNAVAILABLE.withDescription("etcd ended it")));
        }
    }
}
