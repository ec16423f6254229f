package io.fairlead.userspace;

import io.fairlead.api.IpPort;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections of one thread, each in a place that its events name.
final class ConnectionSlots {
    private final int most;
    private final List<@Nullable Connection> places = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    private int generation;
    private int open;

    ConnectionSlots(int most) {
        this.most = most;
    }

    boolean isFull() {
        return open >= most;
    }

    int size() {
        return open;
    }

    Connection add(int client, IpPort clientAddress, IpPort destination, Balancer balancer) {
        int place;
        if (free.isEmpty()) {
            place = places.size();
            places.add(null);
        } else {
            place = free.removeLast();
        }
        // Tokens below zero are not for connections.
        generation = generation + 1 & Integer.MAX_VALUE;
        Connection made = new Connection(client, clientAddress, destination, balancer, place, generation);
        places.set(place, made);
        open++;
        return made;
    }

    /// The connection that an event is about; none if it is gone.
    @Nullable
    Connection find(long token) {
        Connection found = places.get((int) (token >>> 1) & Integer.MAX_VALUE);
        return found != null && found.generation == (int) (token >>> 32) ? found : null;
    }

    void remove(Connection connection) {
        places.set(connection.place, null);
        free.add(connection.place);
        open--;
    }

    void forEach(Consumer<Connection> action) {
        for (Connection connection :
                List.copyOf(places.stream().filter(c -> c != null).toList())) {
            action.accept(connection);
        }
    }
}
