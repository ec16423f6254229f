package io.fairlead.forwarding;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import java.util.List;
import java.util.Optional;

/// Where clients knock.
public sealed interface Frontend {
    Family family();

    Protocol protocol();

    int port();

    /// The address where it is; a node port is at many.
    default Optional<Ip> address() {
        return switch (this) {
            case VirtualAddress(Ip ip, var _, var _) -> Optional.of(ip);
            case ExternalAddress(Ip ip, var _, var _) -> Optional.of(ip);
            case LoadBalancerAddress(Ip ip, var _, var _) -> Optional.of(ip);
            case NodePort _ -> Optional.empty();
        };
    }

    /// All that a client that connects to `place` may mean.
    static List<Frontend> at(IpPort place, Protocol protocol) {
        return List.of(
                new VirtualAddress(place.ip(), protocol, place.port()),
                new ExternalAddress(place.ip(), protocol, place.port()),
                new LoadBalancerAddress(place.ip(), protocol, place.port()),
                new NodePort(place.ip().family(), protocol, place.port()));
    }

    /// A virtual address that lives on no interface: a ClusterIP.
    record VirtualAddress(Ip ip, Protocol protocol, int port) implements Frontend {
        @Override
        public Family family() {
            return ip.family();
        }

        @Override
        public String toString() {
            return new IpPort(ip, port) + "/" + protocol.lowerCase();
        }
    }

    /// An address from outside the cluster that leads to a Service on every node: an entry of `externalIPs`.
    record ExternalAddress(Ip ip, Protocol protocol, int port) implements Frontend {
        @Override
        public Family family() {
            return ip.family();
        }

        @Override
        public String toString() {
            return "external:" + new IpPort(ip, port) + "/" + protocol.lowerCase();
        }
    }

    /// The address that a load balancer gave to a Service, and that is taken up on the node itself.
    record LoadBalancerAddress(Ip ip, Protocol protocol, int port) implements Frontend {
        @Override
        public Family family() {
            return ip.family();
        }

        @Override
        public String toString() {
            return "loadbalancer:" + new IpPort(ip, port) + "/" + protocol.lowerCase();
        }
    }

    /// A port of the node itself: at all of its addresses, or at those that [NodePortAddresses] names.
    record NodePort(Family family, Protocol protocol, int port) implements Frontend {
        @Override
        public String toString() {
            return (family == Family.IPV4 ? "node:" : "node6:") + port + "/" + protocol.lowerCase();
        }
    }
}
