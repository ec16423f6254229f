package io.fairlead.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A number of places that several users share fairly.
///
/// One user has at most `mostOfOne` of them, and at most `mostWaiting` of its requests wait for one, each no longer
/// than `patience`. A place that comes free goes to the waiting users by turns, whatever number of requests each has
/// waiting: a busy user waits for its own requests, never for those of another.
public final class FairPlaces {
    /// How many places there are, and how much of them one user may take or wait for.
    public record Limits(int places, int mostOfOne, int mostWaiting, Duration patience) {
        public Limits {
            if (places < 1 || mostOfOne < 1 || mostWaiting < 0) {
                throw new IllegalArgumentException(
                        "places must be 1 or more, but are %d, and %d for one user".formatted(places, mostOfOne));
            }
        }
    }

    /// Held while the work is done; to close it again does nothing.
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    private static final class Share {
        private int taken;
        private final Deque<Ticket> waiting = new ArrayDeque<>();
    }

    private static final class Ticket {
        private boolean called;
    }

    private final Limits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition called = lock.newCondition();
    /// In the order of their turns.
    private final Map<String, Share> shares = new LinkedHashMap<>();

    private int taken;
    private int waiting;

    public FairPlaces(Limits limits) {
        this.limits = limits;
    }

    public int taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /// How many users are known: those that have a place or wait for one.
    public int users() {
        lock.lock();
        try {
            return shares.size();
        } finally {
            lock.unlock();
        }
    }

    /// A place for `user`, after a wait if need be; nothing if too many wait already, or none came in time.
    public Optional<Place> take(String user) throws InterruptedException {
        lock.lock();
        try {
            Share share = shares.computeIfAbsent(user, _ -> new Share());
            if (share.waiting.isEmpty() && isFree(share)) {
                share.taken++;
                taken++;
                return Optional.of(place(user));
            }
            if (share.waiting.size() < limits.mostWaiting) {
                return await(user, share);
            }
            forgetIfIdle(user, share); // or each user that is refused would stay in memory
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFree(Share share) {
        return taken < limits.places && share.taken < limits.mostOfOne;
    }

    private Optional<Place> await(String user, Share share) throws InterruptedException {
        Ticket ticket = new Ticket();
        share.waiting.addLast(ticket);
        waiting++;
        long left = limits.patience.toNanos();
        try {
            while (!ticket.called && left > 0) {
                left = called.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            if (ticket.called) {
                giveBack(user);
            }
            throw e;
        } finally {
            if (!ticket.called) {
                share.waiting.remove(ticket);
                waiting--;
                forgetIfIdle(user, share);
            }
        }
        return ticket.called ? Optional.of(place(user)) : Optional.empty();
    }

    private Place place(String user) {
        return new Place() {
            private boolean open = true;

            @Override
            public void close() {
                lock.lock();
                try {
                    if (open) {
                        open = false;
                        giveBack(user);
                    }
                } finally {
                    lock.unlock();
                }
            }
        };
    }

    private void giveBack(String user) {
        Share share = shares.get(user);
        if (share != null) {
            share.taken--;
            taken--;
            forgetIfIdle(user, share);
        }
        while (taken < limits.places && callNext()) {}
    }

    private void forgetIfIdle(String user, Share share) {
        if (share.taken == 0 && share.waiting.isEmpty()) {
            shares.remove(user);
        }
    }

    /// Calls one request of the user whose turn it is; that user is the last then.
    private boolean callNext() {
        Optional<String> next = shares.entrySet().stream()
                .filter(one -> !one.getValue().waiting.isEmpty() && isFree(one.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
        next.ifPresent(user -> {
            Share share = shares.remove(user);
            if (share != null) {
                shares.put(user, share);
                share.waiting.removeFirst().called = true;
                share.taken++;
                taken++;
                waiting--;
                called.signalAll();
            }
        });
        return next.isPresent();
    }
}
