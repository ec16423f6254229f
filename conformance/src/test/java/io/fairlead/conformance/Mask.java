package io.fairlead.conformance;

import java.util.List;
import java.util.regex.Pattern;

/// Takes out of an output what differs from run to run, so that the rest can be compared letter by letter.
///
/// Addresses and ports that a transcript chose itself lie in the low parts of their ranges, where the server never
/// picks one; those stay.
final class Mask {
    private record Rule(Pattern pattern, String replacement) {
        static Rule of(String pattern, String replacement) {
            return new Rule(Pattern.compile(pattern, Pattern.MULTILINE), replacement);
        }
    }

    private static final List<Rule> RULES = List.of(
            Rule.of("\\e\\[[0-9;]*m", ""), // colours
            Rule.of("\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b", "UID"),
            Rule.of("\\b\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z| \\+0000)", "TIME"),
            Rule.of("\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d \\+0000", "TIME"),
            Rule.of("(resourceVersion\"?: )\"\\d+\"", "$1REVISION"),
            Rule.of("(?<= )(\\d+[smh])+(?= |$)", "AGE"),
            Rule.of("127\\.0\\.0\\.1:\\d+", "SERVER"),
            Rule.of("\\b10\\.96\\.(?!0\\.)\\d+\\.\\d+\\b", "CLUSTER-IP"),
            Rule.of("\\b3(0[1-9]|1\\d|2[0-7])\\d\\d\\b", "NODE-PORT"),
            Rule.of(
                    "-(?=[a-z]*\\d)[0-9a-z]{8,10}(-[0-9a-z]{5})?(?=[ \"\\n]|$)",
                    "-HASH"), // replica sets and their pods
            Rule.of("-[0-9a-z]{5}(?= +IPv[46])", "-RANDOM"), // endpoint slices
            Rule.of("/tmp/(LIVE|MERGED)-\\d+/", "$1/"), // of kubectl diff
            Rule.of("^(Client Version: |Kustomize Version: ).*", "$1CLIENT"),
            Rule.of("client \\(1\\.\\d+\\)", "client (CLIENT)"),
            // Columns are as wide as what was masked in them; trailing blanks and empty lines say nothing.
            Rule.of("(?<=\\S) {2,}", "  "),
            Rule.of("[ \\t]+$", ""),
            Rule.of("\\n{2,}", "\n"));

    private Mask() {}

    static String of(String output) {
        String masked = output;
        for (Rule rule : RULES) {
            masked = rule.pattern.matcher(masked).replaceAll(rule.replacement);
        }
        return masked.strip();
    }
}
