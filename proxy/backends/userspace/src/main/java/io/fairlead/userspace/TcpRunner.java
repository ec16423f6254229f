package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.CopyBuffer;
import io.fairlead.kernel.Epoll;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.StreamSockets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One thread of the TCP relay: accepts, connects, and passes on what comes, for its own connections.
final class TcpRunner implements AutoCloseable {
    private static final int SOCKET_EVENTS = Epoll.IN | Epoll.OUT | Epoll.READ_HANG_UP | Epoll.EDGE;
    private static final int FAILED = Epoll.ERROR | Epoll.HANG_UP;
    private static final int ACCEPTED_AT_ONCE = 64;
    /// Tokens from here down are those of listeners, by their place.
    private static final long FIRST_LISTENER = Epoll.WAKE - 1;

    private final List<Listener> listeners;
    private final Routes routes;
    private final Preamble preamble;
    private final List<Duration> attempts;
    private final ConnectionSlots connections;
    private final PipePool pipes;
    private final Epoll epoll = new Epoll();
    private final StreamSockets sockets = new StreamSockets();
    private final CopyBuffer buffer = new CopyBuffer();
    private final Queue<Deadline> deadlines = new PriorityQueue<>(Comparator.comparingLong(Deadline::nanos));
    private final Deque<Lane> tired = new ArrayDeque<>();
    private final AtomicInteger open = new AtomicInteger();
    private boolean listening;
    private volatile long graceUntil;
    private volatile long drainUntil;
    private volatile boolean draining;

    /// Until when a target may take to answer.
    private record Deadline(long nanos, Connection connection, int attempt) {}

    TcpRunner(List<Listener> listeners, Routes routes, Preamble preamble, RelayLimits limits) {
        this.listeners = List.copyOf(listeners);
        this.routes = routes;
        this.preamble = preamble;
        this.attempts = limits.attempts();
        this.connections = new ConnectionSlots(limits.connections() / limits.threads());
        this.pipes = new PipePool(limits.pipes() / limits.threads());
    }

    /// Relays until it is to stop and its connections have ended, or the deadline for that is over.
    void run() {
        try {
            while (!isOver()) {
                listen(accepts() && !connections.isFull());
                int patience = tired.isEmpty() ? patience() : 0;
                long asked = System.nanoTime();
                int count = epoll.await(patience);
                for (int i = 0; i < count; i++) {
                    take(epoll.token(i), epoll.events(i));
                }
                passOn();
                expire(asked);
                open.lazySet(connections.size());
            }
        } finally {
            connections.forEach(this::abort);
            open.set(0);
        }
    }

    /// For other threads: the connections there are may go on until then. Others are accepted for as long as `grace`
    /// lasts: those that were led here already, and are on their way.
    void drain(long graceUntilNanos, long untilNanos) {
        graceUntil = graceUntilNanos;
        drainUntil = untilNanos;
        draining = true;
        epoll.wake();
    }

    int open() {
        return open.get();
    }

    private boolean isOver() {
        return draining && ((connections.size() == 0 && !accepts()) || System.nanoTime() - drainUntil >= 0);
    }

    private boolean accepts() {
        return !draining || System.nanoTime() - graceUntil < 0;
    }

    private int patience() {
        long until = Long.MAX_VALUE;
        if (draining) {
            until = accepts() ? Math.min(graceUntil, drainUntil) : drainUntil;
        }
        Deadline first = deadlines.peek();
        if (first != null) {
            until = Math.min(until, first.nanos());
        }
        if (until == Long.MAX_VALUE) {
            return -1;
        }
        return Math.clamp((until - System.nanoTime()) / 1_000_000 + 1, 0, 60_000);
    }

    private void listen(boolean wanted) {
        if (wanted == listening) {
            return;
        }
        listening = wanted;
        for (int i = 0; i < listeners.size(); i++) {
            if (wanted) {
                epoll.add(listeners.get(i).descriptor(), Epoll.IN | Epoll.EXCLUSIVE, FIRST_LISTENER - i);
            } else {
                epoll.remove(listeners.get(i).descriptor());
            }
        }
    }

    private void take(long token, int events) {
        if (token == Epoll.WAKE) {
            return;
        }
        if (token <= FIRST_LISTENER) {
            accept(listeners.get((int) (FIRST_LISTENER - token)));
            return;
        }
        Connection connection = connections.find(token);
        if (connection == null) {
            return;
        }
        if (connection.established) {
            wake(connection, (token & 1) == 1, events);
        } else if ((events & FAILED) != 0) {
            again(connection);
        } else if ((events & Epoll.OUT) != 0) {
            establish(connection, events);
        }
    }

    private void accept(Listener listener) {
        for (int i = 0; i < ACCEPTED_AT_ONCE && !connections.isFull(); i++) {
            int client = sockets.accept(listener.descriptor());
            if (client < 0) {
                return; // no more, or no descriptor for it: then it waits in the backlog
            }
            IpPort from = sockets.peer();
            Family family = from.ip().family();
            IpPort destination = sockets.originalDestination(client, family).orElse(listener.address());
            Optional<Balancer> balancer = routes.find(destination, listener.inside());
            if (balancer.isEmpty()) {
                sockets.reset(client); // a knock at the relay itself, or at a row that is gone
            } else {
                dial(connections.add(client, from, destination, balancer.get()));
            }
        }
    }

    /// Begins a connection to the next target.
    private void dial(Connection connection) {
        while (connection.attempt < attempts.size()) {
            Optional<IpPort> target = target(connection);
            if (target.isEmpty()) {
                break;
            }
            Duration patience = attempts.get(connection.attempt++);
            if (dial(connection, target.get())) {
                deadlines.add(new Deadline(System.nanoTime() + patience.toNanos(), connection, connection.attempt));
                return;
            }
        }
        abort(connection);
    }

    /// Where all were tried, from the first again.
    private static Optional<IpPort> target(Connection connection) {
        long now = System.nanoTime();
        Optional<IpPort> target = connection.balancer.choose(connection.clientAddress.ip(), connection.tried, now);
        if (target.isEmpty() && !connection.tried.isEmpty()) {
            connection.tried.clear();
            return connection.balancer.choose(connection.clientAddress.ip(), connection.tried, now);
        }
        return target;
    }

    private boolean dial(Connection connection, IpPort target) {
        connection.tried.add(target);
        int socket = sockets.open(target.ip().family());
        if (socket < 0) {
            return false;
        }
        int result = sockets.connect(socket, target);
        if (result < 0 && result != -Errno.EINPROGRESS) {
            StreamSockets.close(socket);
            return false;
        }
        connection.target = socket;
        connection.balancer.begin(target);
        epoll.add(socket, SOCKET_EVENTS, connection.token(true));
        return true;
    }

    /// The target did not take it: another is asked, and the client sees nothing of it.
    private void again(Connection connection) {
        hangUp(connection);
        dial(connection);
    }

    private void establish(Connection connection, int events) {
        if (!preamble.send(connection, buffer)) {
            again(connection);
            return;
        }
        connection.establish();
        epoll.add(connection.client, SOCKET_EVENTS, connection.token(false));
        connection.down.readable = (events & Epoll.IN) != 0;
        connection.down.hungUp = (events & Epoll.READ_HANG_UP) != 0;
        pass(connection.up);
        pass(connection.down);
    }

    private void wake(Connection connection, boolean ofTarget, int events) {
        Lane reading = ofTarget ? connection.down : connection.up;
        Lane writing = ofTarget ? connection.up : connection.down;
        boolean failed = (events & FAILED) != 0;
        reading.hungUp |= failed || (events & Epoll.READ_HANG_UP) != 0;
        reading.readable |= reading.hungUp || (events & Epoll.IN) != 0;
        writing.writable |= failed || (events & Epoll.OUT) != 0;
        pass(reading);
        pass(writing);
    }

    private void pass(Lane lane) {
        Connection connection = lane.connection;
        if (connection.closed || lane.done) {
            return;
        }
        switch (lane.pass(buffer, pipes)) {
            case RESTS -> {}
            case TIRED -> tired.add(lane);
            case BROKEN -> abort(connection);
            case DONE -> {
                if (connection.isDone()) {
                    close(connection);
                }
            }
        }
    }

    /// Lanes that could have gone on, and those that waited for a pipe.
    private void passOn() {
        for (int i = tired.size(); i > 0; i--) {
            pass(tired.removeFirst());
        }
        for (@Nullable Lane lane = pipes.next(); lane != null; lane = pipes.next()) {
            pass(lane);
        }
    }

    /// Who has not answered by `asked`. Not by now: this thread may have stood still since it asked for events, and an
    /// answer that came meanwhile is in time; to call another target then would take a turn for nothing.
    private void expire(long asked) {
        while (!deadlines.isEmpty() && deadlines.element().nanos() - asked <= 0) {
            Deadline over = deadlines.remove();
            Connection connection = over.connection();
            if (!connection.closed && !connection.established && connection.attempt == over.attempt()) {
                again(connection);
            }
        }
    }

    private void hangUp(Connection connection) {
        if (connection.target >= 0) {
            StreamSockets.close(connection.target);
            connection.target = -1;
            connection.balancer.end(connection.tried.getLast());
        }
    }

    private void close(Connection connection) {
        StreamSockets.close(connection.client);
        leave(connection);
    }

    /// Both sides learn that something was lost.
    private void abort(Connection connection) {
        if (connection.closed) {
            return;
        }
        sockets.reset(connection.client);
        if (connection.established) {
            sockets.reset(connection.target);
            connection.target = -1;
            connection.balancer.end(connection.tried.getLast());
        }
        leave(connection);
    }

    private void leave(Connection connection) {
        hangUp(connection);
        connection.closed = true;
        connection.up.release(pipes);
        connection.down.release(pipes);
        connections.remove(connection);
    }

    @Override
    public void close() {
        pipes.close();
        epoll.close();
        sockets.close();
        buffer.close();
    }
}
