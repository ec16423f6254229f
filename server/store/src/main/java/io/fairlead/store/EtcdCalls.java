package io.fairlead.store;

import io.fairlead.runtime.Backoff;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// Calls to the cluster, tried again with the next member where that is safe, but not for ever.
final class EtcdCalls {
    // A new leader is there within a second or two; etcd itself gives a write up after seven.
    private static final Duration WRITE_DEADLINE = Duration.ofSeconds(8);
    private static final Duration READ_DEADLINE = Duration.ofSeconds(3);
    private static final int MOST_ATTEMPTS = 12;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(400);

    /// Answers of a member that looked at the request and did nothing.
    private static final Set<Status.Code> REFUSALS = Set.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.OUT_OF_RANGE,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED,
            Status.Code.UNIMPLEMENTED);

    private final EtcdMembers members;
    private volatile boolean closed;

    EtcdCalls(EtcdMembers members) {
        this.members = members;
    }

    /// An answer that is not the one that was hoped for: the caller may know what to do about it.
    static final class RefusedException extends RuntimeException {
        private final transient Status status;

        private RefusedException(Status status) {
            super(String.valueOf(status.getDescription()), null, false, false);
            this.status = status;
        }

        boolean says(String words) {
            return String.valueOf(status.getDescription()).contains(words);
        }

        boolean is(Status.Code code) {
            return status.getCode() == code;
        }

        StoreException asFailure() {
            // the first is said by etcd, the second, of a request that is larger still, by its gRPC
            boolean large = says("request is too large") || says("received message larger than max");
            return new StoreException(
                    large ? StoreException.Kind.TOO_LARGE : StoreException.Kind.UNAVAILABLE,
                    "etcd refused: " + getMessage(),
                    this);
        }
    }

    /// Reading twice does no harm: tried until it is answered.
    <Q, A> A read(MethodDescriptor<Q, A> method, Q request) {
        try {
            return ask(method, request);
        } catch (RefusedException e) {
            throw e.asFailure();
        }
    }

    /// Like [#read], for a caller who knows what to do with a [RefusedException].
    <Q, A> A ask(MethodDescriptor<Q, A> method, Q request) {
        return call(method, request, READ_DEADLINE, true);
    }

    /// Writes, for a caller who knows what to do with a [RefusedException]. Tried again only as long as no member can
    /// have seen it. If one may have, and did not say what it did, then the outcome is unknown, and so says the
    /// exception.
    <Q, A> A send(MethodDescriptor<Q, A> method, Q request) {
        return call(method, request, WRITE_DEADLINE, false);
    }

    private <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Duration deadline, boolean harmless) {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
        for (int attempt = 1; true; attempt++) {
            requireOpen();
            Channel member = members.current();
            switch (EtcdCall.run(member, method, request, deadline)) {
                case EtcdCall.Result.Answered<A>(var answer) -> {
                    return answer;
                }
                case EtcdCall.Result.Failed<A>(var status, var sent) -> {
                    requireOpen();
                    refuse(status);
                    members.leave(member);
                    if (sent && !harmless && !isLeaderless(status)) {
                        throw failure(StoreException.Kind.UNCERTAIN, "did not say what became of the write", status);
                    }
                    if (attempt == MOST_ATTEMPTS) {
                        throw failure(StoreException.Kind.UNAVAILABLE, "cannot be reached", status);
                    }
                }
            }
            pause(attempt, backoff);
        }
    }

    private static void refuse(Status status) {
        if (REFUSALS.contains(status.getCode())) {
            throw new RefusedException(status);
        }
    }

    // Said before anything was done: see "hasleader" in EtcdCall.
    private static boolean isLeaderless(Status status) {
        return "etcdserver: no leader".equals(status.getDescription());
    }

    private static StoreException failure(StoreException.Kind kind, String what, Status status) {
        return new StoreException(
                kind, "etcd %s: %s".formatted(what, status.getDescription()), status.asRuntimeException());
    }

    /// The next member may be well: only after a round through all of them is it worth waiting.
    private void pause(int attempt, Backoff backoff) {
        if (attempt % members.size() == 0) {
            LockSupport.parkNanos(backoff.next().toNanos());
        }
    }

    void requireOpen() {
        if (closed) {
            throw new StoreException("the store is closed");
        }
    }

    void close() {
        closed = true;
    }
}
