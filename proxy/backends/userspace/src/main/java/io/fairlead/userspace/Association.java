package io.fairlead.userspace;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;

/// A UDP client and the target it is led to: one socket, which hears of that target alone.
final class Association {
    /// What tells one from another: a client may call several frontends from one port.
    record Key(int front, IpPort client) {}

    final Key key;
    /// The address of this machine that the client writes to, and that answers come from.
    final Ip reached;

    final Balancer balancer;
    final IpPort target;
    final int socket;
    final int place;
    long lastHeard;

    Association(Key key, Ip reached, Balancer balancer, IpPort target, int socket, int place) {
        this.key = key;
        this.reached = reached;
        this.balancer = balancer;
        this.target = target;
        this.socket = socket;
        this.place = place;
    }
}
