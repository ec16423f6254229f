package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// One column of a table: its heading, and what stands in it for an object at a given time.
public record Column(String name, String type, int priority, BiFunction<JsonNode, Instant, Object> cell) {
    public static final Column NAME =
            new Column("Name", "string", 0, (object, now) -> Json.text(object, "metadata", "name"));
    public static final Column AGE = new Column("Age", "string", 0, Column::age);

    // A list in a cell names so many, and says how many more there are.
    private static final int MOST_LISTED = 3;

    /// A column of texts; an empty one shows as `<none>`.
    static Column text(String name, Function<JsonNode, String> cell) {
        return new Column(name, "string", 0, (object, now) -> orNone(cell.apply(object)));
    }

    /// A column of texts that may be empty.
    static Column blank(String name, Function<JsonNode, String> cell) {
        return new Column(name, "string", 0, (object, now) -> cell.apply(object));
    }

    /// How many fields or items there are in all these places.
    static Column count(String name, String... fields) {
        return new Column(
                name,
                "string",
                0,
                (object, now) -> Integer.toString(List.of(fields).stream()
                        .mapToInt(field -> object.path(field).size())
                        .sum()));
    }

    static Column number(String name, String... path) {
        return new Column(name, "integer", 0, (object, now) -> Json.number(object, 0, path));
    }

    /// This column, shown only with `-o wide`.
    Column wide() {
        return new Column(name, type, 1, cell);
    }

    static String orNone(String text) {
        return text.isEmpty() ? "<none>" : text;
    }

    /// The first few, and how many more there are.
    static String some(List<String> all) {
        String shown = String.join(",", all.subList(0, Math.min(all.size(), MOST_LISTED)));
        return all.size() <= MOST_LISTED ? shown : shown + " + " + (all.size() - MOST_LISTED) + " more...";
    }

    private static Object age(JsonNode object, Instant now) {
        return since(Json.text(object, "metadata", "creationTimestamp"), now);
    }

    /// How long ago a time of the API is.
    static String since(String timestamp, Instant now) {
        try {
            return age(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    /// As kubectl shows ages: two units while they are small, one when the second matters no more.
    public static String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < 120) {
            return seconds + "s";
        } else if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        } else if (hours < 3) {
            return minutes + "m";
        } else if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        } else if (hours < 48) {
            return hours + "h";
        } else if (days < 8) {
            return pair(days, "d", hours % 24, "h");
        } else if (days < 2 * 365) {
            return days + "d";
        } else if (days < 8 * 365) {
            return pair(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
    }
}
