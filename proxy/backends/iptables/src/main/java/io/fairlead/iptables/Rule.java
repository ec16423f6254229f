package io.fairlead.iptables;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A rule without the chain it stands in, in the words and the order of `iptables-save`.
record Rule(String text) {
    private static final Pattern PROBABILITY = Pattern.compile("--probability (\\d\\.\\d+)");
    /// What the kernel keeps of a probability differs by less.
    private static final double KEPT = 1e-9;

    private static final Pattern JUMP = Pattern.compile("(?:^| )-[jg] (\\S+)(?!.* -[jg] )");
    private static final String LAST = "NOTE: this must be the last rule in this chain";

    /// The rule that `iptables-save` printed as `text`.
    ///
    /// The kernel keeps a probability in 31 bits, so what it prints is not what was written. Most of ours are one
    /// out of a number, and that number is found again; others have few digits.
    static Rule parse(String text) {
        Matcher probability = PROBABILITY.matcher(text);
        return new Rule(probability.replaceAll(found -> {
            double kept = Double.parseDouble(found.group(1));
            long count = Math.round(1 / kept);
            return Math.abs(kept - 1.0 / count) < KEPT ? oneOutOf(count) : fewDigits(kept);
        }));
    }

    /// The words that let a rule take `some` packets out of `count`.
    static String outOf(int some, int count) {
        return count % some == 0 ? oneOutOf(count / some) : fewDigits((double) some / count);
    }

    private static String fewDigits(double probability) {
        return String.format(Locale.ROOT, "--probability %.8f", probability);
    }

    /// The words that let a rule take one packet out of `count`.
    static String oneOutOf(long count) {
        return String.format(Locale.ROOT, "--probability %.10f", 1.0 / count);
    }

    /// The words of a comment that say that a rule stands behind all others of its chain.
    static String last(String what) {
        return what + "; " + LAST;
    }

    boolean isLast() {
        return text.contains(LAST);
    }

    /// Where the rule leads: a chain, or what becomes of the packet. Empty if it only counts.
    String target() {
        Matcher jump = JUMP.matcher(text);
        return jump.find() ? jump.group(1) : "";
    }

    @Override
    public String toString() {
        return text;
    }
}
