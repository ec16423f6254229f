package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.RedirectedDatagrams;
import io.fairlead.kernel.StreamSockets;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Where the relay listens: two TCP ports of each family, and a UDP port for each portal that has one.
final class Sockets implements Ports {
    /// Two of each family.
    static final int LISTENERS = 4;

    private static final int BACKLOG = 4096;

    private final List<Listener> listeners;
    private final Map<Portal.Key, UdpFront> fronts = new HashMap<>();
    private final Map<Portal.Key, Integer> datagramPorts = new HashMap<>();

    private Sockets(List<Listener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /// Listens at free ports.
    static Sockets open() {
        List<Integer> descriptors = new ArrayList<>();
        try (StreamSockets sockets = new StreamSockets()) {
            for (Family family : Family.values()) {
                for (int i = 0; i < LISTENERS / Family.values().length; i++) {
                    descriptors.add(sockets.listen(new IpPort(StreamSockets.any(family), 0), BACKLOG));
                }
            }
            return of(descriptors);
        } catch (KernelException e) {
            descriptors.forEach(StreamSockets::close);
            throw e;
        }
    }

    /// These listeners, two of each family: the second is for what begins inside.
    static Sockets of(List<Integer> descriptors) {
        List<Listener> listeners = new ArrayList<>();
        try (StreamSockets sockets = new StreamSockets()) {
            for (int i = 0; i < descriptors.size(); i++) {
                listeners.add(new Listener(descriptors.get(i), sockets.local(descriptors.get(i)), i % 2 == 1));
            }
        }
        return new Sockets(listeners);
    }

    List<Listener> listeners() {
        return listeners;
    }

    @Override
    public int tcp(Family family, boolean inside) {
        return listeners.stream()
                .filter(one -> one.address().ip().family() == family && one.inside() == inside)
                .findFirst()
                .orElseThrow()
                .address()
                .port();
    }

    @Override
    public int udp(Portal.Key portal) {
        Integer port = datagramPorts.get(portal);
        if (port == null) {
            throw new IllegalStateException("no socket for " + portal);
        }
        return port;
    }

    /// A socket for the datagrams of a portal, which is led by `routes`; the one it has, if it has one.
    UdpFront front(Portal.Key portal, PortalTable routes) {
        return fronts.computeIfAbsent(portal, key -> {
            int socket = RedirectedDatagrams.bind(
                    new IpPort(StreamSockets.any(key.place().family()), 0));
            try (StreamSockets sockets = new StreamSockets()) {
                datagramPorts.put(key, sockets.local(socket).port());
            }
            return new UdpFront(socket, () -> routes.find(key));
        });
    }

    boolean hasFront(Portal.Key portal) {
        return fronts.containsKey(portal);
    }

    /// Forgets the socket of a portal; closing it is up to who relays.
    UdpFront leave(Portal.Key portal) {
        datagramPorts.remove(portal);
        UdpFront front = fronts.remove(portal);
        if (front == null) {
            throw new IllegalStateException("no socket for " + portal);
        }
        return front;
    }

    void closeListeners() {
        listeners.forEach(listener -> StreamSockets.close(listener.descriptor()));
    }
}
