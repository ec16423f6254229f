package io.fairlead.resolver;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.AddressSocket;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.Presence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way of a node's pods to the server on their node: it takes the address of the cluster's DNS, so that a question
/// neither leaves the node nor passes connection tracking.
///
/// The kernel looks, packet by packet, whether our socket stands at that address. When it does not, be it closed or the
/// process killed, the question goes to another node's server.
public final class PodDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodDoor.class);
    private static final String DEVICE = "lo";
    private static final int PORT = 53;
    private static final int WHOLE = 128;

    private final List<IpPort> places;
    private final List<Presence> presences = new ArrayList<>();
    private PodDoorPlan plan = PodDoorPlan.SHUT;
    private boolean closed;

    private PodDoor(List<IpPort> places) {
        this.places = List.copyOf(places);
    }

    /// Makes the door, still shut; a [DnsException] says why this machine cannot have one.
    public static PodDoor make(Collection<Family> families) {
        List<IpPort> places = places(families);
        List<Ip> own = places.stream().map(IpPort::ip).toList();
        // Tried, not written: the rules of the agent before lead pods elsewhere until we answer.
        run(List.of("nft", "--check", "--file", "-"), PodDoorRules.replace(new PodDoorPlan(own, own)));
        try (AddressSocket addresses = AddressSocket.open()) {
            addresses.add(DEVICE, own, WHOLE);
        } catch (KernelException e) {
            throw new DnsException("cannot give %s to %s: %s".formatted(own, DEVICE, e.getMessage()), e);
        }
        return new PodDoor(places);
    }

    /// Where the server of a door to these families has to answer.
    public static List<IpPort> places(Collection<Family> families) {
        return families.stream()
                .distinct()
                .sorted()
                .map(family -> new IpPort(PodDoorRules.place(family), PORT))
                .toList();
    }

    /// Where the server has to answer what comes through.
    public List<IpPort> places() {
        return places;
    }

    /// Takes what pods ask as planned, and nothing else; a family that the server has no place in is left out.
    synchronized void open(PodDoorPlan newer) {
        PodDoorPlan wanted =
                newer.within(places.stream().map(place -> place.ip().family()).toList());
        if (closed || wanted.equals(plan)) {
            return;
        }
        boolean moved = !wanted.asked().equals(plan.asked());
        if (moved) {
            shut();
        }
        write(PodDoorRules.replace(wanted));
        if (moved) {
            wanted.asked().forEach(ip -> presences.add(Presence.at(new IpPort(ip, PORT))));
        }
        plan = wanted;
        LOG.info("event=node-dns asked={} others={} places={}", wanted.asked(), wanted.others(), places);
    }

    private void shut() {
        presences.forEach(Presence::close);
        presences.clear();
        plan = PodDoorPlan.SHUT;
    }

    /// Leaves pods to other nodes' servers; what came through before is still to be answered.
    @Override
    public synchronized void close() {
        closed = true;
        shut();
    }

    /// Takes away what a door left on this machine; true if there was something. That of a server that runs stays: its
    /// pods need it.
    public static boolean remove() {
        if (!isLeft() || isAnswered()) {
            return false;
        }
        write(PodDoorRules.remove());
        try (AddressSocket addresses = AddressSocket.open()) {
            addresses.remove(
                    DEVICE,
                    Arrays.stream(Family.values()).map(PodDoorRules::place).toList(),
                    WHOLE);
        } catch (KernelException e) {
            throw new DnsException("cannot take addresses from %s: %s".formatted(DEVICE, e.getMessage()), e);
        }
        return true;
    }

    private static boolean isLeft() {
        try {
            return Command.run(List.of("nft", "list", "table", "inet", PodDoorRules.NAME), "")
                    .succeeded();
        } catch (KernelException e) {
            return false; // where nft cannot be run, no door was made
        }
    }

    /// Whether a server hears at a door's place now.
    private static boolean isAnswered() {
        List<String> command = List.of("ss", "-Hlun", "sport", "=", ":" + PORT);
        String heard = Command.run(command, "").output();
        return Arrays.stream(Family.values())
                .map(PodDoorRules::place)
                .anyMatch(place -> heard.contains(place + ":") || heard.contains("[" + place + "]:"));
    }

    private static void write(String text) {
        run(List.of("nft", "--file", "-"), text);
    }

    private static void run(List<String> command, String input) {
        try {
            Command.Result result = Command.run(command, input);
            if (!result.succeeded()) {
                throw new DnsException("nft: " + result.errors().strip());
            }
        } catch (KernelException e) {
            throw new DnsException("nft cannot be run: " + e.getMessage(), e);
        }
    }
}
