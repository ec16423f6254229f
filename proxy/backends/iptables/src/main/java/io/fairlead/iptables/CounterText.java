package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what the counters of rules show, from the words of `iptables-save -c` and `iptables -v -S`. Pure.
///
/// The table nat sees the first packet of a connection alone. So the line of a frontend counts the connections to it,
/// and the rule at the end of an endpoint's chain those that were sent there.
final class CounterText {
    private static final Pattern RULE = Pattern.compile("\\[(\\d+):\\d+\\] -A (\\S+) (.*)");
    private static final Pattern COMMENT = Pattern.compile("--comment \"([^ \"]+)");
    private static final Pattern PROTOCOL = Pattern.compile("(?:^| )-p (\\S+)");
    private static final Pattern DESTINATION = Pattern.compile("--to-destination (\\S+)");
    private static final Pattern COUNTED = Pattern.compile(" -c (\\d+) \\d+(?: |$)");

    private CounterText() {}

    /// A rule of the table nat, and what its counter shows.
    private record Counted(long packets, String chain, Rule rule) {
        static Optional<Counted> parse(String line) {
            Matcher rule = RULE.matcher(line);
            return rule.matches()
                    ? Optional.of(new Counted(Long.parseLong(rule.group(1)), rule.group(2), new Rule(rule.group(3))))
                    : Optional.empty();
        }
    }

    /// The connections that the table nat of a family has seen.
    static List<ConnectionCount> connections(Family family, String saved) {
        List<Counted> rules =
                saved.lines().flatMap(line -> Counted.parse(line).stream()).toList();
        EndpointOwners owners = new EndpointOwners();
        rules.forEach(counted -> {
            if (ChainNames.isShared(counted.chain)) {
                service(counted.rule).ifPresent(port -> owners.frontend(port, counted.rule.target()));
            } else if (ChainNames.isEndpoint(counted.rule.target())) {
                owners.choice(counted.chain, counted.rule.target());
            }
        });
        return rules.stream()
                .flatMap(
                        counted -> connection(new ChainKey(family, Table.NAT, counted.chain), counted, owners).stream())
                .toList();
    }

    private static Optional<ConnectionCount> connection(ChainKey place, Counted counted, EndpointOwners owners) {
        if (ChainNames.isEndpoint(place.chain())) {
            return word(DESTINATION, counted.rule.text())
                    .flatMap(target -> owners.find(place.chain())
                            .map(service -> new ConnectionCount.ToTarget(
                                    place, service, IpPort.parse(target), counted.packets)));
        }
        return ChainNames.isShared(place.chain())
                ? service(counted.rule)
                        .map(service -> new ConnectionCount.ToService(
                                new IptablesEntry.Line(place, counted.rule), service, counted.packets))
                : Optional.empty();
    }

    /// The comment of a frontend's line begins with the port of the Service; that of other lines with something else.
    private static Optional<ServicePortName> service(Rule line) {
        return word(PROTOCOL, line.text())
                .flatMap(CounterText::protocol)
                .flatMap(protocol -> word(COMMENT, line.text()).flatMap(name -> ServicePortName.find(name, protocol)));
    }

    private static Optional<Protocol> protocol(String text) {
        return Arrays.stream(Protocol.values())
                .filter(protocol -> protocol.lowerCase().equals(text))
                .findFirst();
    }

    private static Optional<String> word(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /// The packets of the rule that has these words in it; nothing if there is no such rule.
    static OptionalLong packets(String words, String listed) {
        return listed.lines()
                .filter(line -> line.contains(words))
                .flatMap(line -> word(COUNTED, line).stream())
                .mapToLong(Long::parseLong)
                .findFirst();
    }
}
