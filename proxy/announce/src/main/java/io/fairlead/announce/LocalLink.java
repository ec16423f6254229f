package io.fairlead.announce;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;

/// A link of this node to neighbours: its number, its hardware address, and the networks that are on it.
record LocalLink(String name, int index, HardwareAddress hardware, List<Cidr> networks) {
    private static final Cidr LINK_LOCAL = Cidr.parse("fe80::/10");

    LocalLink {
        networks = List.copyOf(networks);
    }

    /// Those of the network namespace of the calling thread that are up and have a network.
    static List<LocalLink> read() {
        try {
            return NetworkInterface.networkInterfaces()
                    .map(LocalLink::of)
                    .flatMap(Optional::stream)
                    .filter(link -> !link.networks.isEmpty())
                    .toList();
        } catch (SocketException | UncheckedIOException e) {
            throw new AnnounceException("the links of this node cannot be read: " + e.getMessage(), e);
        }
    }

    private static Optional<LocalLink> of(NetworkInterface link) {
        try {
            byte[] hardware = link.getHardwareAddress();
            if (!link.isUp() || link.isLoopback() || hardware == null || hardware.length != 6) {
                return Optional.empty();
            }
            List<Cidr> networks = link.getInterfaceAddresses().stream()
                    .map(LocalLink::network)
                    .filter(LocalLink::hasNeighbours)
                    .distinct()
                    .toList();
            return Optional.of(new LocalLink(link.getName(), link.getIndex(), HardwareAddress.of(hardware), networks));
        } catch (IOException e) {
            return Optional.empty(); // it went while we looked
        }
    }

    private static Cidr network(InterfaceAddress address) {
        return new Cidr(Ip.of(address.getAddress().getAddress()), address.getNetworkPrefixLength());
    }

    private static boolean hasNeighbours(Cidr network) {
        return network.prefix() < network.family().bits()
                && !(network.family() == Family.IPV6 && LINK_LOCAL.contains(network.network()));
    }

    boolean reaches(Ip address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }
}
