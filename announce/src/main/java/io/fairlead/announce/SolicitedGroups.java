package io.fairlead.announce;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Joins the groups in which questions for IPv6 addresses come, so that switches and the network card let them in.
///
/// The channel itself is never read: the packets are heard by the speaker of the link.
final class SolicitedGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SolicitedGroups.class);

    /// A channel a group: one socket may only be in few.
    private final Map<Ip, DatagramChannel> joined = new HashMap<>();

    /// Is in the groups of these addresses, each on the link of that number, and in no others.
    void follow(Map<Ip, LocalLink> held) {
        joined.keySet().stream().filter(ip -> !held.containsKey(ip)).toList().forEach(this::leave);
        held.forEach((ip, link) -> {
            if (ip.family() == Family.IPV6 && !joined.containsKey(ip)) {
                join(ip, link).ifPresent(channel -> joined.put(ip, channel));
            }
        });
    }

    private static Optional<DatagramChannel> join(Ip ip, LocalLink link) {
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
            LOG.warn("announce address={} link={} group=\"not joined: {}\"", ip, link.name(), e.getMessage());
            return Optional.empty(); // tried again with the next look
        }
    }

    private void leave(Ip ip) {
        close(joined.remove(ip));
    }

    private static void close(@Nullable DatagramChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.debug("a group was not left", e); // it goes with the process
            }
        }
    }

    @Override
    public void close() {
        joined.values().forEach(SolicitedGroups::close);
        joined.clear();
    }
}
