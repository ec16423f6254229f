package io.fairlead.kubectl;

import java.time.Duration;

/// How long a time is, as kubectl rounds it: `59s`, `2m30s`, `26h`, `3d4h`, `400d`, `3y10d`: pure.
final class Ages {
    private static final int YEAR = 365;

    private Ages() {}

    static String text(Duration time) {
        long seconds = time.toSeconds();
        long minutes = time.toMinutes();
        long hours = time.toHours();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        return hours < 48 ? hours + "h" : days(hours);
    }

    private static String days(long hours) {
        long days = hours / 24;
        if (hours < 192) {
            return pair(days, "d", hours % 24, "h");
        }
        if (days < 2 * YEAR) {
            return days + "d";
        }
        return days < 8 * YEAR ? pair(days / YEAR, "y", days % YEAR, "d") : days / YEAR + "y";
    }

    private static String pair(long large, String unit, long small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
