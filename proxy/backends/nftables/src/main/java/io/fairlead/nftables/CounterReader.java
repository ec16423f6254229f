package io.fairlead.nftables;

import static io.fairlead.nftables.PacketField.DESTINATION;
import static io.fairlead.nftables.PacketField.PORT;
import static io.fairlead.nftables.PacketField.PROTOCOL;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCount.ToService;
import io.fairlead.forwarding.ConnectionCount.ToTarget;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.ElementKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the counters of the elements: key and comment tell whose they are.
final class CounterReader {
    /// So many elements are asked for at once that the answers fit the buffer of a socket.
    private static final int MOST_ASKED = 100;

    private static final List<PacketField> FRONTEND = List.of(DESTINATION, PROTOCOL, PORT);
    private static final List<PacketField> TARGET = List.of(DESTINATION, PORT);

    private final NetfilterSocket socket;

    CounterReader(NetfilterSocket socket) {
        this.socket = socket;
    }

    /// All of them: those of Services, and those of endpoints that were called.
    List<ConnectionCount> read() {
        List<ConnectionCount> counts = new ArrayList<>();
        for (TableReader table : tables()) {
            List<ToService> services = services(table);
            counts.addAll(services);
            counts.addAll(targets(table, services));
        }
        return counts;
    }

    List<ConnectionCount> readServices() {
        return tables().stream()
                .<ConnectionCount>flatMap(table -> services(table).stream())
                .toList();
    }

    private List<TableReader> tables() {
        return Arrays.stream(Family.values())
                .map(family -> new TableReader(socket, family))
                .filter(TableReader::exists)
                .toList();
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
                                        service(attributes, set, family).ifPresent(counts::add));
                    }
                }));
        return counts;
    }

    private static List<ToService> services(TableReader table) {
        return Arrays.stream(SetShape.values())
                .filter(set -> set.isCounted() && !set.isLearned())
                .flatMap(set -> table.attributesOfElements(set).stream()
                        .flatMap(attributes -> service(attributes, set, table.family()).stream()))
                .toList();
    }

    private static Optional<ToService> service(NetlinkAttributes attributes, SetShape set, Family family) {
        long packets = ElementCodec.packets(attributes);
        return ElementCodec.decode(attributes, set, family)
                .flatMap(element -> service(element).map(service -> new ToService(element.key(), service, packets)));
    }

    private static Optional<ServicePortName> service(Element element) {
        int protocol = SetShape.part(element.set().key(), PROTOCOL, element.match(), element.family())
                .octet();
        return Comment.isCut(element.comment())
                ? Optional.empty()
                : PacketField.findProtocol(protocol).flatMap(found -> ServicePortName.find(element.comment(), found));
    }

    /// The kernel knows whom a connection was for by its address alone: the Service is the one that has it now.
    private static List<ToTarget> targets(TableReader table, List<ToService> services) {
        Map<Bytes, ServicePortName> names = new HashMap<>();
        services.forEach(count -> names.put(((ElementKey) count.counter()).match(), count.service()));
        return table.attributesOfElements(SetShape.CONNECTION).stream()
                .flatMap(attributes -> target(attributes, names, table.family()).stream())
                .toList();
    }

    private static Optional<ToTarget> target(
            NetlinkAttributes attributes, Map<Bytes, ServicePortName> names, Family family) {
        Bytes key = ElementCodec.key(attributes);
        int address = DESTINATION.registers(family) * 4;
        int length = SetShape.length(FRONTEND, family);
        Bytes nodePort = key.slice(address, length - address);
        Bytes target = key.slice(length, SetShape.length(TARGET, family));
        return Optional.ofNullable(names.getOrDefault(key.slice(0, length), names.get(nodePort)))
                .map(service -> new ToTarget(
                        new ElementKey(family, SetShape.CONNECTION, key),
                        service,
                        target(target, family),
                        ElementCodec.packets(attributes)));
    }

    private static IpPort target(Bytes target, Family family) {
        return new IpPort(
                SetShape.part(TARGET, DESTINATION, target, family).ip(),
                SetShape.part(TARGET, PORT, target, family).port());
    }
}
