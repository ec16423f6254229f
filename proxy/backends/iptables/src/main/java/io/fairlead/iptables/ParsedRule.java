package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text of one rule, read as iptables reads it: conditions, and a target with its arguments.
///
/// It knows nothing of how the compiler writes rules; a word it does not know is an error of the test.
final class ParsedRule {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private final List<Predicate<TracedPacket>> conditions = new ArrayList<>();
    private final Deque<String> words;
    private boolean byChance;
    private String target = "";
    private List<String> arguments = List.of();

    private ParsedRule(String text) {
        this.words = words(text);
    }

    static ParsedRule of(Rule rule) {
        ParsedRule parsed = new ParsedRule(rule.text());
        while (!parsed.words.isEmpty()) {
            parsed.readOption(parsed.words.remove());
        }
        return parsed;
    }

    boolean matches(TracedPacket packet) {
        return conditions.stream().allMatch(condition -> condition.test(packet));
    }

    /// Whether a packet that matches may pass by all the same: chance decides, or who came here before.
    boolean isByChance() {
        return byChance;
    }

    String target() {
        return target;
    }

    List<String> arguments() {
        return arguments;
    }

    private static Deque<String> words(String text) {
        Deque<String> words = new ArrayDeque<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        return words;
    }

    private void readOption(String option) {
        boolean negated = option.equals("!");
        String name = negated ? words.remove() : option;
        if (name.equals("-j")) {
            target = words.remove();
            arguments = List.copyOf(words);
            words.clear();
            return;
        }
        Predicate<TracedPacket> condition = condition(name);
        conditions.add(negated ? condition.negate() : condition);
    }

    private Predicate<TracedPacket> condition(String name) {
        return switch (name) {
            case "-s" -> within(words.remove(), true);
            case "-d" -> within(words.remove(), false);
            case "-i" -> through(words.remove());
            case "-p" -> protocol(words.remove());
            case "-m", "--comment", "--mode", "--seconds", "--name", "--mask", "--packet" -> ignored(words.remove());
            case "--reap", "--set", "--rsource" -> ignored(name);
            case "--dport" -> port(Integer.parseInt(words.remove()));
            case "--dst-type" -> local(words.remove(), false);
            case "--src-type" -> local(words.remove(), true);
            case "--ctstate" -> state(words.remove());
            // Where the packet was sent at first is forgotten here; the rule that asks only counts.
            case "--ctorigdst" -> ignored(words.remove());
            case "--mark" -> mark(words.remove());
            case "--probability", "--every" -> chance(words.remove());
            case "--rcheck" -> chance(name);
            default -> throw new IllegalStateException("iptables has no option " + name);
        };
    }

    private static Predicate<TracedPacket> ignored(String word) {
        return _ -> !word.isEmpty();
    }

    private Predicate<TracedPacket> chance(String word) {
        byChance = true;
        return ignored(word);
    }

    private static Predicate<TracedPacket> within(String network, boolean source) {
        Cidr cidr = Cidr.parse(network);
        return packet ->
                cidr.contains(source ? packet.source() : packet.destination().ip());
    }

    private static Predicate<TracedPacket> through(String name) {
        return packet -> name.endsWith("+")
                ? packet.first().interfaceName().startsWith(name.substring(0, name.length() - 1))
                : packet.first().interfaceName().equals(name);
    }

    private static Predicate<TracedPacket> protocol(String name) {
        return packet -> packet.protocol().lowerCase().equals(name);
    }

    private static Predicate<TracedPacket> port(int port) {
        return packet -> packet.destination().port() == port;
    }

    private static Predicate<TracedPacket> local(String type, boolean source) {
        if (!type.equals("LOCAL")) {
            throw new IllegalStateException("an address type of which the tracer knows nothing: " + type);
        }
        return packet -> {
            Ip ip = source ? packet.source() : packet.destination().ip();
            return packet.isOwn(ip);
        };
    }

    /// Every packet here is the first of its connection.
    private static Predicate<TracedPacket> state(String states) {
        List<String> listed = List.of(states.split(",", -1));
        return packet -> listed.contains("NEW") || (packet.translated() && listed.contains("DNAT"));
    }

    private static Predicate<TracedPacket> mark(String text) {
        String[] parts = text.split("/", -1);
        int value = Integer.decode(parts[0]);
        int mask = Integer.decode(parts[1]);
        return packet -> (packet.mark() & mask) == value;
    }
}
