package io.fairlead.ipvs;

import io.fairlead.api.Family;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/// One of our sets of addresses and ports, named as kube-proxy does it.
public record SetName(Family family, Kind kind) {
    private static final int LONGEST = 31;

    /// What the members of a set are.
    enum Shape {
        ADDRESS("hash:ip", "dst"),
        ADDRESS_PORT("hash:ip,port", "dst,dst"),
        ADDRESS_PORT_ADDRESS("hash:ip,port,ip", "dst,dst,src"),
        ADDRESS_PORT_NETWORK("hash:ip,port,net", "dst,dst,src"),
        NETWORK_PORT("hash:net,port", "dst,dst"),
        PORT("bitmap:port", "dst");

        private final String type;
        private final String direction;

        Shape(String type, String direction) {
            this.type = type;
            this.direction = direction;
        }

        /// The kernel's name.
        String type() {
            return type;
        }

        /// Which side of a packet is compared.
        String direction() {
            return direction;
        }
    }

    /// What a set is for.
    enum Kind {
        CLUSTER_IP(Shape.ADDRESS_PORT, false),
        /// A pod that reaches itself.
        LOOP_BACK(Shape.ADDRESS_PORT_ADDRESS, false),
        EXTERNAL_IP(Shape.ADDRESS_PORT, false),
        EXTERNAL_IP_LOCAL(Shape.ADDRESS_PORT, true),
        LOAD_BALANCER(Shape.ADDRESS_PORT, false),
        LOAD_BALANCER_LOCAL(Shape.ADDRESS_PORT, true),
        /// Has source ranges.
        LOAD_BALANCER_FW(Shape.ADDRESS_PORT, false),
        LOAD_BALANCER_SOURCE_CIDR(Shape.ADDRESS_PORT_NETWORK, false),
        LOAD_BALANCER_SOURCE_IP(Shape.ADDRESS_PORT_ADDRESS, false),
        NODE_PORT_TCP(Shape.PORT, true),
        NODE_PORT_UDP(Shape.PORT, true),
        NODE_PORT_SCTP_HASH(Shape.NETWORK_PORT, true),
        NODE_PORT_LOCAL_TCP(Shape.PORT, true),
        NODE_PORT_LOCAL_UDP(Shape.PORT, true),
        NODE_PORT_LOCAL_SCTP_HASH(Shape.NETWORK_PORT, true),
        /// The addresses whose other ports are refused.
        IPVS_IPS(Shape.ADDRESS, false),
        /// Not of kube-proxy: what no endpoint of this node may answer.
        DROP(Shape.ADDRESS_PORT, false);

        private final Shape shape;
        private final boolean marks;

        Kind(Shape shape, boolean marks) {
            this.shape = shape;
            this.marks = marks;
        }

        Shape shape() {
            return shape;
        }

        /// Whether members give a mark to packets.
        boolean marks() {
            return marks;
        }

        /// Whether a member is where connections of a Service arrive; then its comment says of which.
        boolean isFrontend() {
            return switch (this) {
                case CLUSTER_IP,
                        EXTERNAL_IP,
                        EXTERNAL_IP_LOCAL,
                        LOAD_BALANCER,
                        LOAD_BALANCER_LOCAL,
                        NODE_PORT_TCP,
                        NODE_PORT_UDP,
                        NODE_PORT_SCTP_HASH,
                        NODE_PORT_LOCAL_TCP,
                        NODE_PORT_LOCAL_UDP,
                        NODE_PORT_LOCAL_SCTP_HASH -> true;
                case LOOP_BACK, LOAD_BALANCER_FW, LOAD_BALANCER_SOURCE_CIDR, LOAD_BALANCER_SOURCE_IP, IPVS_IPS, DROP ->
                    false;
            };
        }
    }

    static Stream<SetName> all(Family family) {
        return Arrays.stream(Kind.values()).map(kind -> new SetName(family, kind));
    }

    static Optional<SetName> find(String name) {
        return Arrays.stream(Family.values())
                .flatMap(SetName::all)
                .filter(set -> set.toString().equals(name))
                .findFirst();
    }

    /// The words of a rule that is about packets in this set.
    String match() {
        return "-m set --match-set " + this + " " + kind.shape().direction();
    }

    /// The words of a rule that gives a packet the mark of its member.
    String mark() {
        return "-j SET --map-set " + this + " " + kind.shape().direction() + " --map-mark";
    }

    @Override
    public String toString() {
        String text =
                (family == Family.IPV4 ? "KUBE-" : "KUBE-6-") + kind.name().replace('_', '-');
        return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    }
}
