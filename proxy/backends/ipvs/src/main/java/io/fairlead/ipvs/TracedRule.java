package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text of one rule, read as iptables reads it: conditions, and a target with its arguments.
///
/// It knows nothing of how rules are made; a word it does not know is an error.
final class TracedRule {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    /// What rules ask about the machine.
    interface Machine {
        boolean isOwn(TracedPacket packet, boolean source);

        boolean contains(String set, String directions, TracedPacket packet);
    }

    private final Machine machine;
    private final Deque<String> words = new ArrayDeque<>();
    private final List<Predicate<TracedPacket>> conditions = new ArrayList<>();
    private String target = "";
    private boolean leaves;
    private List<String> arguments = List.of();

    TracedRule(String text, Machine machine) {
        this.machine = machine;
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        while (!words.isEmpty()) {
            read(words.remove());
        }
    }

    boolean matches(TracedPacket packet) {
        return conditions.stream().allMatch(condition -> condition.test(packet));
    }

    String target() {
        return target;
    }

    /// Whether what returns from the target does not come back behind this rule.
    boolean leaves() {
        return leaves;
    }

    List<String> arguments() {
        return arguments;
    }

    private void read(String option) {
        boolean negated = option.equals("!");
        String name = negated ? words.remove() : option;
        if (name.equals("-j") || name.equals("-g")) {
            leaves = name.equals("-g");
            target = words.remove();
            arguments = List.copyOf(words);
            words.clear();
            return;
        }
        Predicate<TracedPacket> condition = condition(name);
        conditions.add(negated ? condition.negate() : condition);
    }

    private Predicate<TracedPacket> condition(String name) {
        String word = words.remove();
        return switch (name) {
            case "-m", "--comment" -> _ -> !word.isEmpty();
            case "-s" -> packet -> Cidr.parse(word).contains(packet.source());
            case "-d" ->
                packet -> Cidr.parse(word).contains(packet.destination().ip());
            case "-i" -> packet -> isThrough(word, packet.first().interfaceName());
            case "-p" -> packet -> packet.first().protocol().lowerCase().equals(word);
            case "--ctstate" -> _ -> List.of(word.split(",", -1)).contains("NEW");
            case "--dst-type" -> packet -> machine.isOwn(packet, false);
            case "--src-type" -> packet -> machine.isOwn(packet, true);
            case "--mark" -> packet -> hasMark(word, packet.mark());
            case "--match-set" -> inSet(word, words.remove());
            default -> throw new IllegalStateException("a rule has an option that the tracer does not know: " + name);
        };
    }

    private Predicate<TracedPacket> inSet(String set, String directions) {
        return packet -> machine.contains(set, directions, packet);
    }

    private static boolean isThrough(String pattern, String name) {
        return pattern.endsWith("+")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    private static boolean hasMark(String text, int mark) {
        String[] parts = text.split("/", -1);
        int mask = parts.length == 1 ? -1 : Integer.parseUnsignedInt(parts[1].substring(2), 16);
        return (mark & mask) == Integer.parseUnsignedInt(parts[0].substring(2), 16);
    }

    /// `--set-xmark value/mask`: clears the bits of the mask, then turns those of the value.
    static int changed(int mark, String words) {
        String[] parts = words.split("/", -1);
        int value = Integer.parseUnsignedInt(parts[0].substring(2), 16);
        int mask = Integer.parseUnsignedInt(parts[1].substring(2), 16);
        return (mark & ~mask) ^ value;
    }
}
