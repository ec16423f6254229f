package io.fairlead.proxy;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// How large the kernel's table of connections is, and how long it remembers them (R9).
///
/// A duration of zero leaves what the kernel has; so does a maximum of zero.
public record ConntrackSettings(
        int maxPerCore,
        int min,
        Duration tcpEstablished,
        Duration tcpCloseWait,
        boolean tcpBeLiberal,
        Duration udp,
        Duration udpStream) {
    private static final Logger LOG = LoggerFactory.getLogger(ConntrackSettings.class);
    private static final int MOST = 1_048_576;
    private static final Pattern DURATION = Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,8})m)?(?:(\\d{1,9})s)?");

    static ConntrackSettings of(JsonNode tree) {
        return new ConntrackSettings(
                Json.number(tree, 32_768, "maxPerCore"),
                Json.number(tree, 131_072, "min"),
                duration(tree, "tcpEstablishedTimeout", "24h"),
                duration(tree, "tcpCloseWaitTimeout", "1h"),
                Json.flag(tree, false, "tcpBeLiberal"),
                duration(tree, "udpTimeout", "0s"),
                duration(tree, "udpStreamTimeout", "0s"));
    }

    static List<Problem> problems(JsonNode tree) {
        List<Problem> problems = new ArrayList<>();
        for (String field : List.of("maxPerCore", "min")) {
            if (Json.number(tree, 0, field) < 0) {
                problems.add(
                        Problem.invalid("conntrack." + field, tree.path(field).asString(""), "must not be negative"));
            }
        }
        for (String field : List.of("tcpEstablishedTimeout", "tcpCloseWaitTimeout", "udpTimeout", "udpStreamTimeout")) {
            String text = Json.text(tree, field);
            if (!text.isEmpty() && !isDuration(text)) {
                problems.add(Problem.invalid("conntrack." + field, text, "must be a duration such as 24h0m0s or 30s"));
            }
        }
        return problems;
    }

    private static boolean isDuration(String text) {
        return text.equals("0") || DURATION.matcher(text).matches();
    }

    private static Duration duration(JsonNode tree, String field, String usual) {
        String text = Json.text(tree, field);
        Matcher matcher = DURATION.matcher(text.isEmpty() ? usual : text);
        if (!matcher.matches()) {
            return Duration.ZERO;
        }
        return Duration.ofHours(part(matcher, 1)).plusMinutes(part(matcher, 2)).plusSeconds(part(matcher, 3));
    }

    private static long part(Matcher matcher, int group) {
        String digits = matcher.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /// How many connections a machine of so many cores should be able to remember; 0 leaves it as it is.
    int max(int cores) {
        return maxPerCore == 0 ? 0 : (int) Math.min(MOST, Math.max(min, (long) maxPerCore * cores));
    }

    /// The kernel's settings and their values.
    Map<String, Long> values(int cores) {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("nf_conntrack_max", (long) max(cores));
        values.put("nf_conntrack_tcp_timeout_established", tcpEstablished.toSeconds());
        values.put("nf_conntrack_tcp_timeout_close_wait", tcpCloseWait.toSeconds());
        values.put("nf_conntrack_tcp_be_liberal", tcpBeLiberal ? 1L : 0L);
        values.put("nf_conntrack_udp_timeout", udp.toSeconds());
        values.put("nf_conntrack_udp_timeout_stream", udpStream.toSeconds());
        values.values().removeIf(value -> value == 0);
        return values;
    }

    /// Writes them in the network namespace of the calling thread; what the kernel refuses is logged. The table is only
    /// ever made larger: somebody else may need its size.
    public void apply() {
        Path folder = Path.of("/proc/sys/net/netfilter");
        values(Runtime.getRuntime().availableProcessors()).forEach((name, value) -> {
            boolean onlyLarger = name.equals("nf_conntrack_max");
            write(folder.resolve(name), value, onlyLarger);
            if (onlyLarger) {
                write(Path.of("/sys/module/nf_conntrack/parameters/hashsize"), value / 4, true);
            }
        });
    }

    private static void write(Path file, long value, boolean onlyLarger) {
        try {
            long before = Long.parseLong(Files.readString(file).strip());
            if (before != value && !(onlyLarger && before > value)) {
                Files.writeString(file, Long.toString(value));
                LOG.info("conntrack {}={} before={}", file.getFileName(), value, before);
            }
        } catch (IOException | NumberFormatException e) {
            LOG.warn("conntrack {} refused=\"{}\"", file.getFileName(), e.toString());
        }
    }
}
