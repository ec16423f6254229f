package io.fairlead.iptables;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A rule without the chain it stands in, in the words and the order of `iptables-save`.
record Rule(String text) {
    private static final Pattern PROBABILITY = Pattern.compile("--probability (\\d\\.\\d+)");
    private static final Pattern JUMP = Pattern.compile("(?:^| )-[jg] (\\S+)(?!.* -[jg] )");
    private static final String LAST = "NOTE: this must be the last rule in this chain";

    /// The rule that `iptables-save` printed as `text`.
    ///
    /// The kernel keeps a probability in 31 bits, so what it prints is not what was written. All of ours
    /// are one out of a number, and that number is found again.
    static Rule parse(String text) {
        Matcher probability = PROBABILITY.matcher(text);
        return new Rule(probability.replaceAll(found -> oneOutOf(Math.round(1 / Double.parseDouble(found.group(1))))));
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
