package io.fairlead.api;

import java.math.BigDecimal;
import java.math.RoundingMode;
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
