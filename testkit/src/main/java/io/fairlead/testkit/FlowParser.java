package io.fairlead.testkit;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Protocol;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.Flow.Arrival;
import io.fairlead.testkit.Flow.Outcome;
import io.fairlead.testkit.Flow.Sender;
import io.fairlead.testkit.Flow.Source;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads `flows.txt`; every name in it must be one of the cluster's.
final class FlowParser {
    private static final Pattern LINE = Pattern.compile(
            "(?<sender>\\S+)( via (?<via>\\S+))? -> (?<to>\\S+)/(?<protocol>tcp|udp|sctp) => (?<outcome>.+)");
    private static final Pattern GROUP = Pattern.compile("(?<pods>[^,]+), source (?<source>\\S+)");

    private static final String ONE = "always one of ";

    private final Snapshot cluster;

    FlowParser(Snapshot cluster) {
        this.cluster = cluster;
    }

    /// The flows of a text: one a line; empty lines and lines that begin with `#` are for the reader.
    List<Flow> parse(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(this::flow)
                .toList();
    }

    private Flow flow(String line) {
        try {
            Matcher parts = match(LINE, line, "SENDER -> ADDRESS:PORT/PROTOCOL => OUTCOME");
            IpPort destination = destination(parts.group("to"));
            Sender sender = sender(parts.group("sender"), Optional.ofNullable(parts.group("via")), destination);
            Protocol protocol = Protocol.valueOf(parts.group("protocol").toUpperCase(Locale.ROOT));
            return new Flow(line, sender, destination, protocol, outcome(parts.group("outcome")));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("flow \"%s\": %s".formatted(line, e.getMessage()), e);
        }
    }

    private IpPort destination(String text) {
        int colon = text.lastIndexOf(':');
        Optional<Node> node = colon < 0 ? Optional.empty() : findNode(text.substring(0, colon));
        return node.map(found ->
                        new IpPort(found.internalIps().getFirst(), Integer.parseInt(text.substring(colon + 1))))
                .orElseGet(() -> IpPort.parse(text));
    }

    private Sender sender(String text, Optional<String> via, IpPort destination) {
        if (text.equals("outside")) {
            return new Sender.FromOutside(via.map(this::node).orElseGet(() -> nodeAt(destination.ip())));
        }
        if (via.isPresent()) {
            throw new IllegalArgumentException("only outside goes via a node");
        }
        if (text.startsWith("pod/")) {
            return new Sender.FromPod(pod(text.substring("pod/".length())));
        }
        if (text.startsWith("node/")) {
            return new Sender.FromNode(node(text.substring("node/".length())));
        }
        throw new IllegalArgumentException("a sender is pod/NAME, node/NAME or outside, not " + text);
    }

    private Outcome outcome(String text) {
        return switch (text) {
            case "refused" -> new Outcome.Refused();
            case "dropped" -> new Outcome.Dropped();
            case "leaves" -> new Outcome.Leaves();
            default ->
                text.startsWith(ONE)
                        ? new Outcome.Stays(arrivals(text.substring(ONE.length())))
                        : new Outcome.Reaches(arrivals(text));
        };
    }

    private Set<Arrival> arrivals(String text) {
        Set<Arrival> arrivals = new HashSet<>();
        for (String group : text.split(";", -1)) {
            arrivals(group.strip(), arrivals);
        }
        return arrivals;
    }

    private void arrivals(String group, Set<Arrival> arrivals) {
        Matcher parts = match(GROUP, group, "POD:PORT POD:PORT ..., source kept|NODE");
        Source source = source(parts.group("source"));
        for (String target : parts.group("pods").strip().split(" +", -1)) {
            int colon = target.lastIndexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException(target + " has no port");
            }
            arrivals.add(new Arrival(
                    pod(target.substring(0, colon)), Integer.parseInt(target.substring(colon + 1)), source));
        }
    }

    private Source source(String text) {
        return text.equals("kept") ? new Source.Kept() : new Source.OfNode(node(text));
    }

    private NamespacedName pod(String text) {
        int slash = text.indexOf('/');
        NamespacedName name =
                new NamespacedName(slash < 0 ? "default" : text.substring(0, slash), text.substring(slash + 1));
        return require(cluster.pods().find(name), "pod " + name).key();
    }

    private String node(String name) {
        return require(findNode(name), "node " + name).name();
    }

    private Optional<Node> findNode(String name) {
        return cluster.nodes().find(new NamespacedName("", name));
    }

    private String nodeAt(Ip address) {
        return cluster.nodes()
                .values()
                .filter(node -> node.internalIps().contains(address))
                .map(Node::name)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s is no node's address: say through which node it comes, \"outside via NODE\""
                                .formatted(address)));
    }

    private static Matcher match(Pattern pattern, String text, String form) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"%s\" is not of the form %s".formatted(text, form));
        }
        return matcher;
    }

    private static <T> T require(Optional<T> found, String what) {
        return found.orElseThrow(() -> new IllegalArgumentException("the cluster has no " + what));
    }
}
