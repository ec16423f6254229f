package io.fairlead.commands;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a length of time as the flags of Kubernetes are written: `90s`, `5m`, `1h30m`, `500ms`.
final class DurationOption implements ITypeConverter<Duration> {
    private static final Pattern WHOLE = Pattern.compile("([0-9]{1,9}(ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("([0-9]+)(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new TypeConversionException("\"%s\": not a length of time such as 90s, 5m or 1h30m".formatted(text));
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            sum = sum.plus(length(Long.parseLong(part.group(1)), part.group(2)));
        }
        return sum;
    }

    private static Duration length(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
