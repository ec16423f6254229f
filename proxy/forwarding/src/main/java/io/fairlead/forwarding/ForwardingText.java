package io.fairlead.forwarding;

import java.util.stream.Collectors;

/// The text form of a table: one row a line, its targets indented below it.
final class ForwardingText {
    private ForwardingText() {}

    static String format(ForwardingTable table) {
        return table.all().map(ForwardingText::format).collect(Collectors.joining());
    }

    private static String format(Forwarding row) {
        String head = "%s  %s  masquerade=%s%s%s%s"
                .formatted(row.frontend(), row.service(), row.masquerade(), balance(row), sources(row), others(row));
        return row.verdict().equals(row.inside())
                ? head + verdict(row.verdict())
                : head + "\n  outside" + verdict(row.verdict()) + "  inside" + verdict(row.inside());
    }

    private static String balance(Forwarding row) {
        String scheduler = (row.scheduler() == Scheduler.NODE_DEFAULT ? "" : "  scheduler=" + row.scheduler())
                + row.drain()
                        .map(time -> "  drain=%ds".formatted(time.toSeconds()))
                        .orElse("");
        return switch (row.affinity()) {
            case Affinity.None _ -> scheduler;
            case Affinity.ClientIp(var timeout) -> "  affinity=%ds".formatted(timeout.toSeconds()) + scheduler;
        };
    }

    private static String sources(Forwarding row) {
        return row.sources().isAll() ? "" : "  sources=" + row.sources();
    }

    /// Those of a ClusterIP are refused always, which need not be said.
    private static String others(Forwarding row) {
        boolean always = row.frontend() instanceof Frontend.VirtualAddress;
        return row.refusesOtherPorts() && !always ? "  other-ports=refused" : "";
    }

    private static String verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.SendTo(var targets) ->
                targets.stream().map(target -> "    " + target + "\n").collect(Collectors.joining("", "\n", ""));
            case Verdict.Reject _ -> "  reject\n";
            case Verdict.Drop _ -> "  drop\n";
        };
    }
}
