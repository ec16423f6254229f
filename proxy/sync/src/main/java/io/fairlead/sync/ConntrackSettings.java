package io.fairlead.sync;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    static ConntrackSettings of(JsonNode tree) {
        return new ConntrackSettings(
                Json.number(tree, 32_768, "maxPerCore"),
                Json.number(tree, 131_072, "min"),
                duration(tree, "tcpEstablishedTimeout", Duration.ofHours(24)),
                duration(tree, "tcpCloseWaitTimeout", Duration.ofHours(1)),
                Json.flag(tree, false, "tcpBeLiberal"),
                duration(tree, "udpTimeout", Duration.ZERO),
                duration(tree, "udpStreamTimeout", Duration.ZERO));
    }

    /// How long connections are remembered, as by default, without the size of the table: for a node that shares its
    /// machine with others.
    public static ConntrackSettings timeouts() {
        return of(Json.object().put("maxPerCore", 0));
    }

    static List<Problem> problems(JsonNode tree) {
        List<Problem> problems = new ArrayList<>();
        for (String field : List.of("maxPerCore", "min")) {
            if (Json.number(tree, 0, field) < 0) {
                problems.add(
                        Problem.invalid("conntrack." + field, tree.path(field).asString(""), "must not be negative"));
            }
        }
        return problems;
    }

    private static Duration duration(JsonNode tree, String field, Duration usual) {
        String text = Json.text(tree, field);
        return text.isEmpty() ? usual : GoDuration.find(text).orElse(usual);
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

    /// What became of the settings: those whose file is not there, because the kernel has not loaded its table yet, and
    /// those that the kernel refused.
    public record Outcome(List<String> absent, List<String> refused) {
        public Outcome {
            absent = List.copyOf(absent);
            refused = List.copyOf(refused);
        }
    }

    /// Writes them in the network namespace of the calling thread. The table is only ever made larger: another program
    /// may need its size.
    public Outcome apply() {
        return apply(Path.of("/proc/sys/net/netfilter"), Path.of("/sys/module/nf_conntrack/parameters/hashsize"));
    }

    Outcome apply(Path folder, Path hashSize) {
        List<String> absent = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        values(cores()).forEach((name, value) -> {
            boolean isMax = name.equals("nf_conntrack_max");
            note(folder.resolve(name), write(folder.resolve(name), value, isMax), absent, refused);
            if (isMax) {
                note(hashSize, write(hashSize, value / 4, true), absent, refused);
            }
        });
        return new Outcome(absent, refused);
    }

    private static void note(Path file, Optional<IOException> failure, List<String> absent, List<String> refused) {
        failure.ifPresent(e -> {
            if (e instanceof NoSuchFileException) {
                absent.add(file.getFileName().toString());
            } else {
                refused.add("%s: %s".formatted(file, e));
            }
        });
    }

    /// Gives why it could not be written.
    private static Optional<IOException> write(Path file, long value, boolean onlyLarger) {
        try {
            long before = number(file);
            if (before != value && !(onlyLarger && before > value)) {
                Files.writeString(file, Long.toString(value));
                LOG.info("event=conntrack-set setting={} value={} before={}", file.getFileName(), value, before);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        } catch (NumberFormatException e) {
            return Optional.of(new IOException(e));
        }
    }

    /// By lines: the kernel gives a number of its settings at once or never, and `readString` begins with one byte.
    private static long number(Path file) throws IOException {
        return Long.parseLong(String.join("", Files.readAllLines(file)).strip());
    }

    /// The processors of the machine: all its programs share the connections, whatever part of it we are given.
    private static int cores() {
        try {
            return cores(Files.readString(ONLINE).strip());
        } catch (IOException | NumberFormatException e) {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    /// `0-3,8` has five.
    static int cores(String online) {
        int count = 0;
        for (String range : online.split(",", -1)) {
            int dash = range.indexOf('-');
            count += dash < 0
                    ? 1
                    : Integer.parseInt(range.substring(dash + 1)) - Integer.parseInt(range.substring(0, dash)) + 1;
        }
        return count;
    }
}
