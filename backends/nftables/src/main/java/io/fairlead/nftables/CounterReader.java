package io.fairlead.nftables;

import static io.fairlead.nftables.Field.DESTINATION;
import static io.fairlead.nftables.Field.PORT;
import static io.fairlead.nftables.Field.PROTOCOL;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.nftables.NftablesEntry.Element;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads the counters of the elements: whose they are is told by key, content and comment.
final class CounterReader {
    /// So many elements are asked for at once that the answers fit the buffer of a socket.
    private static final int MOST_ASKED = 100;

    private final NetfilterSocket socket;

    CounterReader(NetfilterSocket socket) {
        this.socket = socket;
    }

    List<ConnectionCount> read() {
        List<ConnectionCount> counts = new ArrayList<>();
        for (Family family : Family.values()) {
            TableReader reader = new TableReader(socket, family);
            if (reader.exists()) {
                read(reader, family, counts);
            }
        }
        return counts;
    }

    /// Those of these elements alone, and of them those that counted: most of what ends in a change never did.
    List<ConnectionCount> read(List<Element> elements) {
        List<ConnectionCount> counts = new ArrayList<>();
        Element.bySet(elements)
                .forEach((family, sets) -> sets.forEach((set, own) -> {
                    TableReader reader = new TableReader(socket, family);
                    for (int from = 0; from < own.size(); from += MOST_ASKED) {
                        reader.attributesOf(set, own.subList(from, Math.min(from + MOST_ASKED, own.size()))).stream()
                                .filter(attributes -> ElementCodec.packets(attributes) > 0)
                                .forEach(attributes ->
                                        count(attributes, set, family).ifPresent(counts::add));
                    }
                }));
        return counts;
    }

    private static void read(TableReader reader, Family family, List<ConnectionCount> counts) {
        Arrays.stream(SetShape.values())
                .filter(SetShape::isCounted)
                .forEach(set -> reader.attributesOfElements(set).stream()
                        .flatMap(attributes -> count(attributes, set, family).stream())
                        .forEach(counts::add));
    }

    static Optional<ConnectionCount> count(NetlinkAttributes attributes, SetShape set, Family family) {
        long packets = ElementCodec.packets(attributes);
        return ElementCodec.decode(attributes, set, family)
                .flatMap(element -> service(element).map(service -> count(element, service, packets)));
    }

    private static ConnectionCount count(Element element, ServicePortName service, long packets) {
        SetShape set = element.set();
        return set.data().contains(PORT) && element.content() instanceof Bytes values
                ? new ConnectionCount.ToTarget(element.key(), service, target(element, values), packets)
                : new ConnectionCount.ToService(element.key(), service, packets);
    }

    private static IpPort target(Element element, Bytes values) {
        List<Field> fields = element.set().data();
        return new IpPort(
                SetShape.part(fields, DESTINATION, values, element.family()).ip(),
                SetShape.part(fields, PORT, values, element.family()).port());
    }

    private static Optional<ServicePortName> service(Element element) {
        int protocol = SetShape.part(element.set().key(), PROTOCOL, element.match(), element.family())
                .octet();
        return Field.findProtocol(protocol).flatMap(found -> ServicePortName.find(element.comment(), found));
    }
}
