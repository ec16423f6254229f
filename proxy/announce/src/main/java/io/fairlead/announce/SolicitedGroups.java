package io.fairlead.announce;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Joins the groups in which questions for IPv6 addresses come, so that switches and the network card let them in.
///
/// The channel itself is never read: the packets are heard by the speaker of the link.
final class SolicitedGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SolicitedGroups.class);

    /// Joins the group of an address on a link; who closes what it gives leaves it. Nothing if it did not work.
    interface Door {
        Optional<Closeable> join(Ip ip, LocalLink link);
    }

    /// A channel a group: one socket may only be in few.
    private record Joined(int link, Closeable group) {}

    private final Door door;
    private final Map<Ip, Joined> joined = new HashMap<>();

    SolicitedGroups() {
        this(SolicitedGroups::join);
    }

    SolicitedGroups(Door door) {
        this.door = door;
    }

    /// Is in the groups of these addresses, each on the link of that number, and in no others.
    void follow(Map<Ip, LocalLink> held) {
        joined.entrySet().removeIf(entry -> {
            LocalLink link = held.get(entry.getKey());
            boolean left = link == null || link.index() != entry.getValue().link();
            if (left) {
                close(entry.getValue());
            }
            return left;
        });
        held.forEach((ip, link) -> {
            if (ip.family() == Family.IPV6 && !joined.containsKey(ip)) {
                door.join(ip, link).ifPresent(group -> joined.put(ip, new Joined(link.index(), group)));
            }
        });
    }

    private static Optional<Closeable> join(Ip ip, LocalLink link) {
        try {
            NetworkInterface network = NetworkInterface.getByIndex(link.index());
            DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET6);
            try {
                channel.join(
                        InetAddress.getByAddress(NdpMessages.solicitedNode(ip).bytes()), network);
                return Optional.of(channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=group-not-joined address={} link={} reason=\"{}\"", ip, link.name(), e.getMessage());
            return Optional.empty(); // tried again with the next look
        }
    }

    private static void close(Joined joined) {
        try {
            joined.group().close();
        } catch (IOException e) {
            LOG.debug("event=group-not-left", e); // it goes with the process
        }
    }

    @Override
    public void close() {
        joined.values().forEach(SolicitedGroups::close);
        joined.clear();
    }
}
