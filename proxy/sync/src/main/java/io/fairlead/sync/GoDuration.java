package io.fairlead.sync;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A duration as kube-proxy's configuration spells it: `24h0m0s`, `1m30s`, `1.5h`, `500ms`, `0`.
final class GoDuration {
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(h|ms|us|µs|ns|m|s)");
    private static final Map<String, Duration> UNITS = Map.of(
            "h", Duration.ofHours(1),
            "m", Duration.ofMinutes(1),
            "s", Duration.ofSeconds(1),
            "ms", Duration.ofMillis(1),
            "us", Duration.ofNanos(1_000),
            "µs", Duration.ofNanos(1_000),
            "ns", Duration.ofNanos(1));

    private GoDuration() {}

    /// Nothing if the text is no duration, or a negative one.
    static Optional<Duration> find(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        int end = 0;
        while (part.find() && part.start() == end) {
            sum = sum.plus(times(part.group(1), UNITS.getOrDefault(part.group(2), Duration.ZERO)));
            end = part.end();
        }
        return end == text.length() && end > 0 ? Optional.of(sum) : Optional.empty();
    }

    private static Duration times(String number, Duration unit) {
        BigDecimal seconds = new BigDecimal(number).multiply(BigDecimal.valueOf(unit.toNanos(), 9));
        return Duration.ofSeconds(
                seconds.longValue(),
                seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue());
    }
}
