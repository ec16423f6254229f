package io.fairlead.yaml;

import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What an unquoted word of YAML means, by the rules of go-yaml v2: `yes` is true, `0644` is 420, `~` is null.
///
/// These are the rules of YAML 1.1 without dates and without numbers of base 60: those stay text.
final class YamlScalar {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");

    private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final Pattern INTEGER =
            Pattern.compile("([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    // Read as text here, but as dates and numbers by other readers of YAML 1.1.
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \\t].*)?");
    private static final Pattern BASE_60 = Pattern.compile("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?");

    private static final BigInteger UINT64_END = BigInteger.ONE.shiftLeft(64);
    private static final int[] RADIX_OF_GROUP = {0, 0, 16, 8, 2, 10};

    private YamlScalar() {}

    /// The value of an unquoted word.
    static JsonNode value(String word) {
        if (NULLS.contains(word)) {
            return NODES.nullNode();
        }
        if (TRUE.contains(word) || FALSE.contains(word)) {
            return NODES.booleanNode(TRUE.contains(word));
        }
        return number(word).orElseGet(() -> NODES.stringNode(word));
    }

    /// Whether a text, written without quotes, is read as this very text by every reader.
    static boolean isPlainText(String text) {
        return value(text).isString()
                && !NOT_FINITE.matcher(text).matches()
                && !DATE.matcher(text).matches()
                && !BASE_60.matcher(text).matches()
                && !text.equals("<<")
                && !text.equals("=");
    }

    /// Infinity or not a number: YAML has words for them, JSON has none.
    static boolean isNotFinite(String word) {
        return NOT_FINITE.matcher(word).matches();
    }

    private static final int MOST_DIGITS = 400;

    private static Optional<JsonNode> number(String word) {
        // No number of an object is that long, and to read one of millions of digits takes minutes: it is a text.
        if (word.isEmpty() || word.length() > MOST_DIGITS || "+-.0123456789".indexOf(word.charAt(0)) < 0) {
            return Optional.empty();
        }
        String digits = word.replace("_", "");
        return integer(digits).or(() -> real(digits));
    }

    private static Optional<JsonNode> integer(String digits) {
        Matcher matcher = INTEGER.matcher(digits);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int group = 2;
        while (matcher.group(group) == null) {
            group++;
        }
        BigInteger size = new BigInteger(matcher.group(group), RADIX_OF_GROUP[group]);
        BigInteger value = matcher.group(1).equals("-") ? size.negate() : size;
        return value.bitLength() <= 63 || (value.signum() > 0 && value.compareTo(UINT64_END) < 0)
                ? Optional.of(whole(value))
                : Optional.empty();
    }

    private static Optional<JsonNode> real(String digits) {
        if (!FLOAT.matcher(digits).matches()) {
            return Optional.empty();
        }
        double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            return Optional.empty();
        }
        // 80.0 and 8e1 are 80 once written as JSON by Go.
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE;
        return Optional.of(isWhole ? whole(BigInteger.valueOf((long) value)) : NODES.numberNode(value));
    }

    // The smallest node that holds the value: the same as the JSON reader makes.
    private static JsonNode whole(BigInteger value) {
        if (value.bitLength() <= 31) {
            return NODES.numberNode(value.intValueExact());
        }
        return value.bitLength() <= 63 ? NODES.numberNode(value.longValueExact()) : NODES.numberNode(value);
    }
}
