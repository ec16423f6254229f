package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import java.util.Optional;

/// What a member of a set says; its text is that of `ipset save`.
///
/// @param address empty where the set has ports alone
/// @param protocol empty where the set has no ports, or ports of one protocol
/// @param port 0 where the set has no ports
/// @param source the third part, where there is one
public record Element(Optional<Cidr> address, Optional<Protocol> protocol, int port, Optional<Cidr> source) {
    static Element of(Ip ip) {
        return new Element(Optional.of(alone(ip)), Optional.empty(), 0, Optional.empty());
    }

    static Element of(Ip ip, Protocol protocol, int port) {
        return of(alone(ip), protocol, port);
    }

    static Element of(Cidr network, Protocol protocol, int port) {
        return new Element(Optional.of(network), Optional.of(protocol), port, Optional.empty());
    }

    static Element of(int port) {
        return new Element(Optional.empty(), Optional.empty(), port, Optional.empty());
    }

    Element from(Cidr source) {
        return new Element(address, protocol, port, Optional.of(source));
    }

    static Cidr alone(Ip ip) {
        return new Cidr(ip, ip.family().bits());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        address.ifPresent(network -> text.append(text(network)));
        if (port > 0) {
            text.append(address.isPresent() ? "," : "");
            protocol.ifPresent(known -> text.append(known.lowerCase()).append(':'));
            text.append(port);
        }
        source.ifPresent(network -> text.append(',').append(text(network)));
        return text.toString();
    }

    private static String text(Cidr network) {
        return network.prefix() == network.family().bits() ? network.network().toString() : network.toString();
    }
}
