package io.fairlead.routes;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One port that is led to a Service as it is: a line of the ConfigMaps for TCP and UDP.
///
/// @param target the address of the Service, which the node's proxy spreads
/// @param decodes whether connections begin with the PROXY protocol
/// @param encodes whether the Service gets one
public record Passthrough(int port, Protocol protocol, String target, boolean decodes, boolean encodes) {
    private static final Pattern LINE =
            Pattern.compile("([a-z0-9.-]+)/([a-z0-9.-]+):([a-z0-9-]+)(:(PROXY)?)?(:(PROXY)?)?");

    /// The lines of a ConfigMap; `warnings` gets those that lead nowhere.
    public static List<Passthrough> read(
            Snapshot snapshot, Protocol protocol, Map<String, String> lines, List<String> warnings) {
        List<Passthrough> all = new ArrayList<>();
        lines.forEach((port, line) -> {
            Optional<Passthrough> read = read(snapshot, protocol, port, line);
            read.ifPresentOrElse(
                    all::add, () -> warnings.add("%s %s: \"%s\" leads to no Service".formatted(protocol, port, line)));
        });
        all.sort(Comparator.comparingInt(Passthrough::port));
        return List.copyOf(all);
    }

    private static Optional<Passthrough> read(Snapshot snapshot, Protocol protocol, String port, String line) {
        Matcher matcher = LINE.matcher(line);
        boolean number = port.matches("[0-9]{1,5}") && Integer.parseInt(port) > 0 && Integer.parseInt(port) < 65_536;
        if (!number || !matcher.matches()) {
            return Optional.empty();
        }
        String wanted = matcher.group(3);
        return snapshot.services()
                .find(new NamespacedName(matcher.group(1), matcher.group(2)))
                .filter(service -> !service.clusterIps().isEmpty())
                .flatMap(service -> port(service, protocol, wanted)
                        .map(found -> new Passthrough(
                                Integer.parseInt(port),
                                protocol,
                                address(service.clusterIps().getFirst(), found.port()),
                                matcher.group(5) != null,
                                matcher.group(7) != null)));
    }

    private static Optional<Service.Port> port(Service service, Protocol protocol, String wanted) {
        return service.ports().stream()
                .filter(port -> port.protocol() == protocol)
                .filter(port -> port.name().equals(wanted)
                        || Integer.toString(port.port()).equals(wanted))
                .findFirst();
    }

    private static String address(Ip ip, int port) {
        return ip.toString().contains(":") ? "[%s]:%d".formatted(ip, port) : "%s:%d".formatted(ip, port);
    }
}
