package io.fairlead.userspace;

import io.fairlead.api.IpPort;
import java.util.ArrayList;
import java.util.List;

/// One connection that is relayed, or about to be: it belongs to the thread that accepted it.
final class Connection {
    final int client;
    final IpPort clientAddress;
    final IpPort destination;
    final Balancer balancer;
    /// Tells it from others that had its place before.
    final int generation;

    final int place;
    final List<IpPort> tried = new ArrayList<>(1);
    final Lane up = new Lane(this);
    final Lane down = new Lane(this);
    int target = -1;
    int attempt;
    boolean established;
    boolean closed;

    Connection(int client, IpPort clientAddress, IpPort destination, Balancer balancer, int place, int generation) {
        this.client = client;
        this.clientAddress = clientAddress;
        this.destination = destination;
        this.balancer = balancer;
        this.place = place;
        this.generation = generation;
    }

    /// The token of one of its sockets.
    long token(boolean ofTarget) {
        return ((long) generation << 32) | ((long) place << 1) | (ofTarget ? 1 : 0);
    }

    /// Begins to relay: both sockets are connected.
    void establish() {
        established = true;
        up.open(client, target);
        down.open(target, client);
        up.readable = true;
    }

    boolean isDone() {
        return up.done && down.done;
    }
}
