package io.fairlead.store;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One attempt of one call: a thread waits for it, and learns whether it ever left this machine.
final class EtcdCall<A> implements StreamObserver<A> {
    /// A member that has lost the others says so at once, instead of waiting for them.
    private static final Metadata NEEDS_LEADER = new Metadata();

    static {
        NEEDS_LEADER.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
    }

    /// What came of it.
    sealed interface Result<A> {
        record Answered<A>(A answer) implements Result<A> {}

        /// `sent` is false only if no member can have seen it.
        record Failed<A>(Status status, boolean sent) implements Result<A> {}
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile boolean sent;
    private @Nullable A answer;
    private @Nullable Result<A> result;

    private EtcdCall() {}

    /// Sends and waits. An interrupt does not end the wait, it only stays set: the deadline ends it.
    static <Q, A> Result<A> run(Channel channel, MethodDescriptor<Q, A> method, Q request, Duration deadline) {
        EtcdCall<A> call = new EtcdCall<>();
        CallOptions options = CallOptions.DEFAULT
                .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .withStreamTracerFactory(call.tracer());
        ClientCalls.asyncUnaryCall(needingLeader(channel).newCall(method, options), request, call);
        return call.await();
    }

    static Channel needingLeader(Channel channel) {
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(NEEDS_LEADER));
    }

    private ClientStreamTracer.Factory tracer() {
        return new ClientStreamTracer.Factory() {
            @Override
            public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo stream, Metadata headers) {
                return new ClientStreamTracer() {
                    @Override
                    public void outboundHeaders() {
                        sent = true;
                    }
                };
            }
        };
    }

    private Result<A> await() {
        lock.lock();
        try {
            while (result == null) {
                ended.awaitUninterruptibly();
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onNext(A value) {
        lock.lock();
        try {
            answer = value;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onError(Throwable failure) {
        end(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end(Status.OK);
    }

    private void end(Status status) {
        lock.lock();
        try {
            result =
                    status.isOk() && answer != null ? new Result.Answered<>(answer) : new Result.Failed<>(status, sent);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
