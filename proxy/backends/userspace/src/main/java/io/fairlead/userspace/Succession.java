package io.fairlead.userspace;

import io.fairlead.kernel.Epoll;
import io.fairlead.kernel.HandOver;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.StreamSockets;
import io.fairlead.runtime.TaskGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Waits for the process that comes after this one, and gives it the listeners: so no connection finds them closed.
///
/// Both accept until the successor confirms that its own rules are in place; then this one drains. A
/// successor that goes away before leaves all as it was.
final class Succession implements AutoCloseable {
    /// One for each network namespace, as names without a file are.
    static final String NAME = "fairlead-userspace";

    private static final long NEWCOMER = 0;
    private static final int RETRY_MILLIS = 50;

    private final List<Listener> listeners;
    private final Runnable succeeded;
    private final Epoll epoll = new Epoll();
    private final Map<Long, HandOver> successors = new HashMap<>();
    private final TaskGroup tasks = new TaskGroup("succession");
    private Optional<HandOver> offer;
    private volatile boolean over;
    private boolean confirmed;

    /// Offers the listeners; calls `succeeded` once a successor has taken over.
    Succession(List<Listener> listeners, Runnable succeeded) {
        this.listeners = List.copyOf(listeners);
        this.succeeded = succeeded;
        this.offer = offer();
        tasks.keepOnPlatformThread("offer", this::run);
    }

    /// The listeners of a process before us, and the connection over which to confirm.
    record Inheritance(Sockets sockets, HandOver predecessor) {}

    static Optional<Inheritance> take() {
        Optional<HandOver.Taken> taken = HandOver.take(NAME);
        if (taken.isPresent() && taken.get().descriptors().size() != Sockets.LISTENERS) {
            taken.get().descriptors().forEach(StreamSockets::close);
            taken.get().connection().close();
            return Optional.empty(); // it ended meanwhile, or is of another version
        }
        return taken.map(all -> new Inheritance(Sockets.of(all.descriptors()), all.connection()));
    }

    private void run() {
        while (!over) {
            if (offer.isEmpty()) {
                offer = offer();
            }
            int count = epoll.await(offer.isEmpty() ? RETRY_MILLIS : -1);
            for (int i = 0; i < count && !over; i++) {
                hear(epoll.token(i));
            }
        }
        offer.ifPresent(HandOver::close);
        successors.values().forEach(HandOver::close);
        if (confirmed) {
            succeeded.run();
        }
    }

    /// Nothing while the process before us has the name still.
    private Optional<HandOver> offer() {
        try {
            HandOver offer = HandOver.offer(NAME);
            epoll.add(offer.descriptor(), Epoll.IN, NEWCOMER);
            return Optional.of(offer);
        } catch (KernelException _) {
            return Optional.empty();
        }
    }

    private void hear(long token) {
        if (token == NEWCOMER) {
            List<Integer> descriptors =
                    listeners.stream().map(Listener::descriptor).toList();
            offer.flatMap(one -> one.give(descriptors)).ifPresent(successor -> {
                long own = successor.descriptor();
                successors.put(own, successor);
                epoll.add(successor.descriptor(), Epoll.IN, own);
            });
            return;
        }
        HandOver successor = successors.get(token);
        if (successor == null) {
            return;
        }
        if (successor.isConfirmed()) {
            confirmed = true; // and closed when the name is free
            over = true;
        } else {
            successors.remove(token);
            successor.close();
        }
    }

    @Override
    public void close() {
        over = true;
        epoll.wake();
        tasks.close();
        epoll.close();
    }
}
