package io.fairlead.api;

import java.util.List;
import java.util.Optional;

/// Reads who may use a load balancer, also as earlier servers let it be written. A range that cannot be read lets no
/// client in.
///
/// A Service whose ranges are all passed over would be open to every client.
final class SourceRanges {
    /// No packet that is led on has such a source.
    private static final Cidr NO_CLIENT = Cidr.parse("0.0.0.0/32");

    private static final Cidr NO_CLIENT6 = Cidr.parse("::/128");
    private static final Cidr MAPPED = Cidr.parse("::ffff:0:0/96");

    private SourceRanges() {}

    static List<Cidr> of(List<String> texts) {
        return texts.stream().map(text -> range(text.strip())).toList();
    }

    private static Cidr range(String text) {
        return Cidr.find(text)
                .or(() -> withoutLeadingZeros(text))
                .map(SourceRanges::unmapped)
                .orElse(text.contains(":") ? NO_CLIENT6 : NO_CLIENT);
    }

    /// `192.168.001.0/024`: each number is a decimal one, as it always was in Kubernetes.
    private static Optional<Cidr> withoutLeadingZeros(String text) {
        return Cidr.find(text.replaceAll("(?<![0-9a-fA-F:])0+(?=[0-9])", ""));
    }

    /// An IPv4 network in the clothes of IPv6 is one of IPv4.
    private static Cidr unmapped(Cidr range) {
        return MAPPED.contains(range.network()) && range.prefix() >= MAPPED.prefix()
                ? new Cidr(
                        new Ip(Family.IPV4, 0, range.network().low() & 0xffffffffL), range.prefix() - MAPPED.prefix())
                : range;
    }
}
