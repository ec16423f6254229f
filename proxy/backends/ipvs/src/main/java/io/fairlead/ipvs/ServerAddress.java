package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;

/// Where a virtual server takes connections; its text is that of `ipvsadm -S`.
public sealed interface ServerAddress {
    Family family();

    /// At a port of an address.
    record At(Ip ip, Protocol protocol, int port) implements ServerAddress {
        @Override
        public Family family() {
            return ip.family();
        }

        @Override
        public String toString() {
            String option = switch (protocol) {
                case TCP -> "-t";
                case UDP -> "-u";
                case SCTP -> "--sctp-service";
            };
            return option + " " + new IpPort(ip, port);
        }
    }

    /// Wherever a packet bears a mark.
    record Marked(Family family, int mark) implements ServerAddress {
        @Override
        public String toString() {
            return "-f " + Integer.toUnsignedString(mark) + (family == Family.IPV6 ? " -6" : "");
        }
    }
}
