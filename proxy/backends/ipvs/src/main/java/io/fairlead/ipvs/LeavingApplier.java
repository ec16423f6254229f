package io.fairlead.ipvs;

import io.fairlead.api.Protocol;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsMessages.Operation;
import io.fairlead.ipvs.IpvsReader.Sockets;
import io.fairlead.kernel.NetlinkWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The real servers on their way out: those of TCP have weight 0, and go when their connections have ended or their
/// time is over; all others go at once.
final class LeavingApplier {
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Sockets sockets;
    private final Marks marks;
    private final Map<RealServer.Backed, Long> leaving = new HashMap<>(); // until when, in nanoseconds
    private long looked = System.nanoTime();

    LeavingApplier(Sockets sockets, Marks marks) {
        this.sockets = sockets;
        this.marks = marks;
    }

    /// Removes real servers; `drain` says how long each may keep the connections that it has.
    void retire(List<RealServer> servers, Function<ServerAddress, Duration> drain) {
        long now = System.nanoTime();
        List<RealServer> staying = new ArrayList<>();
        List<RealServer> gone = new ArrayList<>();
        for (RealServer server : servers) {
            Duration time = drain.apply(server.place());
            if (mayStay(server.place()) && !time.isZero()) {
                staying.add(new RealServer(server.place(), server.address(), 0));
                leaving.put(server.key(), now + time.toNanos());
            } else {
                gone.add(server);
            }
        }
        send(staying, Operation.CHANGE);
        send(gone, Operation.REMOVE);
    }

    /// One that was found with weight 0: a process before us retired it, or another program.
    void found(RealServer server, Duration drain) {
        leaving.putIfAbsent(server.key(), System.nanoTime() + drain.toNanos());
    }

    /// Whether one was on its way out, which it is no more.
    boolean comesBack(RealServer server) {
        return leaving.remove(server.key()) != null;
    }

    /// These virtual servers end, and all behind them.
    void forget(Set<ServerAddress> places) {
        leaving.keySet().removeIf(server -> places.contains(server.place()));
    }

    private boolean mayStay(ServerAddress place) {
        return switch (place) {
            case ServerAddress.At(var _, var protocol, var _) -> protocol == Protocol.TCP;
            case ServerAddress.Marked(var _, int mark) -> marks.isTcp(mark);
        };
    }

    /// When it is time to look at those that leave; nothing if there are none.
    Optional<Duration> nextLook() {
        if (leaving.isEmpty()) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        long left = looked + LOOK.toNanos() - now;
        for (long until : leaving.values()) {
            left = Math.min(left, until - now);
        }
        return Optional.of(Duration.ofNanos(Math.max(0, left)));
    }

    /// Lets those go that have no connection left, or that had time enough.
    void look() {
        looked = System.nanoTime();
        List<RealServer> gone = new ArrayList<>();
        leaving.keySet().stream()
                .map(RealServer.Backed::place)
                .distinct()
                .toList()
                .forEach(place -> IpvsReader.sightings(sockets, place).forEach(sighted -> {
                    Long until = leaving.get(sighted.server().key());
                    if (until != null && (sighted.connections() == 0 || until - looked <= 0)) {
                        gone.add(sighted.server());
                    }
                }));
        send(gone, Operation.REMOVE);
        gone.forEach(server -> leaving.remove(server.key()));
        leaving.values().removeIf(until -> until - looked <= 0); // another program has removed it
    }

    /// Sends all of them in one go.
    void send(List<RealServer> servers, Operation deed) {
        NetlinkWriter writer = new NetlinkWriter();
        servers.forEach(server -> sockets.messages().write(writer, deed, server));
        MessageApplier.send(sockets.generic(), writer, servers);
    }
}
