package io.fairlead.userspace;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.Epoll;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.RedirectedDatagrams;
import io.fairlead.kernel.StreamSockets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The thread of the UDP relay: one socket for each frontend, and one for each client of it.
///
/// A client keeps its target until it was silent for a while, or the target is gone. When there are too many, the one
/// that was silent longest is forgotten.
final class UdpRunner implements AutoCloseable {
    private static final int ROUNDS = 8;
    /// A relay that stops does not wait for a client that is silent for so long.
    private static final long LAST_SILENCE = 1_000_000_000;

    private final int most;
    private volatile long silence;
    private final Epoll epoll = new Epoll();
    private final RedirectedDatagrams batch = new RedirectedDatagrams();
    private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final Map<Integer, UdpFront> fronts = new HashMap<>(); // by descriptor
    private final Map<Association.Key, Association> associations = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Long, Association> byToken = new HashMap<>();
    private int places;
    private volatile long until;
    private volatile boolean stopped;
    private volatile boolean closed;

    UdpRunner(RelayLimits limits) {
        this.most = limits.associations();
        this.silence = limits.silence().toNanos();
    }

    void run() {
        while (!isOver()) {
            int count = epoll.await(patience());
            for (int i = 0; i < count; i++) {
                take(epoll.token(i));
            }
            for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
                order.run();
            }
            expire();
        }
        List.copyOf(associations.values()).forEach(this::end);
        fronts.values().forEach(front -> StreamSockets.close(front.descriptor()));
    }

    /// For other threads: takes in what comes to this socket, which is the runner's from now on.
    void open(UdpFront front) {
        order(() -> {
            fronts.put(front.descriptor(), front);
            epoll.add(front.descriptor(), Epoll.IN, front.descriptor());
        });
    }

    /// For other threads: no client is led there any more; its socket and those of its clients are closed.
    void close(UdpFront front) {
        order(() -> {
            List.copyOf(associations.values()).stream()
                    .filter(association -> association.key.front() == front.descriptor())
                    .forEach(this::end);
            fronts.remove(front.descriptor());
            StreamSockets.close(front.descriptor());
        });
    }

    /// For other threads: forgets the clients of targets that are gone.
    void sweep() {
        order(() -> List.copyOf(associations.values()).stream()
                .filter(association -> !isStillLed(association))
                .forEach(this::end));
    }

    /// For other threads: ends when the last client is silent, or the deadline is over.
    void stop(long untilNanos) {
        if (closed) {
            return;
        }
        until = untilNanos;
        silence = Math.min(silence, LAST_SILENCE);
        stopped = true;
        epoll.wake();
    }

    private boolean isOver() {
        return stopped && (associations.isEmpty() || System.nanoTime() - until >= 0);
    }

    private void order(Runnable order) {
        orders.add(order);
        epoll.wake();
    }

    private boolean isStillLed(Association association) {
        UdpFront front = fronts.get(association.key.front());
        return front != null
                && front.balancer()
                        .get()
                        .filter(balancer -> balancer.has(association.target))
                        .isPresent();
    }

    private int patience() {
        if (associations.isEmpty()) {
            return -1;
        }
        long next = associations.values().iterator().next().lastHeard + silence;
        if (stopped) {
            next = Math.min(next, until);
        }
        return Math.clamp((next - System.nanoTime()) / 1_000_000 + 1, 0, 60_000);
    }

    private void take(long token) {
        if (token == Epoll.WAKE) {
            return;
        }
        Association association = byToken.get(token);
        if (association != null) {
            answer(association);
            return;
        }
        UdpFront front = fronts.get((int) token);
        if (front != null) {
            lead(front);
        }
    }

    /// From clients to targets. Datagrams of one client that follow one another go out by one call.
    private void lead(UdpFront front) {
        for (int round = 0; round < ROUNDS; round++) {
            int count = batch.receive(front.descriptor());
            for (int first = 0; first < count; ) {
                IpPort client = batch.from(first);
                int end = first + 1;
                while (end < count && batch.from(end).equals(client)) {
                    end++;
                }
                lead(front, client, first, end - first);
                first = end;
            }
            if (count < RedirectedDatagrams.SIZE) {
                return;
            }
        }
    }

    private void lead(UdpFront front, IpPort client, int first, int count) {
        Association.Key key = new Association.Key(front.descriptor(), client);
        Association association = associations.get(key);
        if (association == null) {
            association = begin(front, key, batch.to(first, client.ip().family()));
        }
        if (association == null) {
            return;
        }
        association.lastHeard = System.nanoTime();
        if (batch.send(association.socket, first, count) < 0) {
            end(association); // the target refused: the next datagram goes to another
        }
    }

    private @Nullable Association begin(UdpFront front, Association.Key key, Ip reached) {
        Optional<Balancer> balancer = front.balancer().get();
        Optional<IpPort> target =
                balancer.flatMap(some -> some.choose(key.client().ip(), List.of(), System.nanoTime()));
        if (target.isEmpty()) {
            return null;
        }
        if (associations.size() >= most) {
            end(associations.values().iterator().next());
        }
        try {
            int socket = RedirectedDatagrams.connect(target.get());
            Association made = new Association(key, reached, balancer.get(), target.get(), socket, ++places);
            associations.put(key, made);
            byToken.put(token(made), made);
            epoll.add(socket, Epoll.IN, token(made));
            made.balancer.begin(made.target);
            return made;
        } catch (KernelException _) {
            return null; // no way there, or no descriptor: a datagram may be lost
        }
    }

    /// Above every descriptor.
    private static long token(Association association) {
        return (1L << 32) + association.place;
    }

    private void answer(Association association) {
        for (int round = 0; round < ROUNDS; round++) {
            int count = batch.receive(association.socket);
            if (count < 0) {
                if (count == -Errno.EAGAIN) {
                    return;
                }
                end(association);
                return;
            }
            associations.get(association.key); // moves it to the end: it was heard of last
            association.lastHeard = System.nanoTime();
            batch.answer(association.key.front(), 0, count, association.key.client(), association.reached);
            if (count < RedirectedDatagrams.SIZE) {
                return;
            }
        }
    }

    private void expire() {
        if (associations.isEmpty()) {
            return;
        }
        long before = System.nanoTime() - silence;
        List<Association> silent = new ArrayList<>();
        for (Association association : associations.values()) {
            if (association.lastHeard - before > 0) {
                break;
            }
            silent.add(association);
        }
        silent.forEach(this::end);
    }

    private void end(Association association) {
        associations.remove(association.key);
        byToken.remove(token(association));
        StreamSockets.close(association.socket);
        association.balancer.end(association.target);
    }

    @Override
    public void close() {
        closed = true;
        epoll.close();
        batch.close();
    }
}
