package io.fairlead.api;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An amount of something: `500m` of a processor, `64Mi` of memory.
public record Quantity(BigDecimal amount) implements Comparable<Quantity> {
    public static final Quantity NONE = new Quantity(BigDecimal.ZERO);
    private static final Pattern FORM = Pattern.compile("([+-]?[0-9]*\\.?[0-9]*)([eE][+-]?[0-9]{1,3}|[a-zA-Z]*)");
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("n", new BigDecimal("1e-9")),
            Map.entry("u", new BigDecimal("1e-6")),
            Map.entry("m", new BigDecimal("1e-3")),
            Map.entry("k", new BigDecimal("1e3")),
            Map.entry("M", new BigDecimal("1e6")),
            Map.entry("G", new BigDecimal("1e9")),
            Map.entry("T", new BigDecimal("1e12")),
            Map.entry("P", new BigDecimal("1e15")),
            Map.entry("E", new BigDecimal("1e18")),
            Map.entry("Ki", power(1)),
            Map.entry("Mi", power(2)),
            Map.entry("Gi", power(3)),
            Map.entry("Ti", power(4)),
            Map.entry("Pi", power(5)),
            Map.entry("Ei", power(6)));

    private static final List<String> DECIMAL = List.of("E", "P", "T", "G", "M", "k", "", "m", "u", "n");
    private static final List<String> BINARY = List.of("Ei", "Pi", "Ti", "Gi", "Mi", "Ki");

    /// A [ParseException] says what cannot be read.
    public static Quantity parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || form.group(1).chars().noneMatch(Character::isDigit)) {
            throw new ParseException("\"%s\" is no quantity".formatted(text));
        }
        String unit = form.group(2);
        boolean exponent = unit.matches("[eE][+-]?[0-9]+");
        BigDecimal factor = exponent ? new BigDecimal("1" + unit) : UNITS.get(unit);
        if (factor == null) {
            throw new ParseException("\"%s\" has no known unit".formatted(text));
        }
        return new Quantity(new BigDecimal(form.group(1)).multiply(factor));
    }

    /// The one way to write an amount that can be written in many: `1000m` as `1`, `2048Ki` as `2Mi`, `0.5` as `500m`.
    public static String canonical(String text) {
        Quantity quantity = parse(text);
        return text.endsWith("i") ? quantity.inPowersOfTwo() : quantity.toString();
    }

    /// With a unit of thousands, the largest that leaves a whole number; no finer than a billionth.
    @Override
    public String toString() {
        BigDecimal rounded = amount.setScale(9, RoundingMode.UP).stripTrailingZeros();
        if (rounded.signum() == 0) {
            return "0";
        }
        for (String unit : DECIMAL) {
            BigDecimal count = rounded.divide(UNITS.getOrDefault(unit, BigDecimal.ONE), 27, RoundingMode.UNNECESSARY);
            if (isWhole(count)) {
                return count.toBigInteger() + unit;
            }
        }
        return rounded.toPlainString();
    }

    /// With a unit of 1024s, if it is as much as one of them.
    public String inPowersOfTwo() {
        BigDecimal whole = amount.setScale(0, RoundingMode.UP);
        if (whole.abs().compareTo(power(1)) < 0) {
            return toString();
        }
        for (String unit : BINARY) {
            BigDecimal[] parts = whole.divideAndRemainder(UNITS.getOrDefault(unit, BigDecimal.ONE));
            if (parts[1].signum() == 0) {
                return parts[0].toBigInteger() + unit;
            }
        }
        return whole.toBigInteger().toString();
    }

    private static boolean isWhole(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0;
    }

    public Quantity minus(Quantity other) {
        return new Quantity(amount.subtract(other.amount));
    }

    private static BigDecimal power(int of) {
        return BigDecimal.valueOf(1024).pow(of);
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    public Quantity plus(Quantity other) {
        return new Quantity(amount.add(other.amount));
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    /// The larger of the two.
    public Quantity max(Quantity other) {
        return amount.compareTo(other.amount) >= 0 ? this : other;
    }

    /// In whole ones, rounded up.
    public long units() {
        return amount.setScale(0, RoundingMode.CEILING).longValue();
    }

    /// In thousandths, rounded up: `1` is 1000.
    public long thousandths() {
        return amount.movePointRight(3).setScale(0, RoundingMode.CEILING).longValue();
    }
}
