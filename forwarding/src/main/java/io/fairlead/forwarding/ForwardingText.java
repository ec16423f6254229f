package io.fairlead.forwarding;

import java.util.stream.Collectors;

/// The text form of a table: one row a line, its targets indented below it.
final class ForwardingText {
    private ForwardingText() {}

    static String format(ForwardingTable table) {
        return table.all().map(ForwardingText::format).collect(Collectors.joining());
    }

    private static String format(Forwarding row) {
        String head = "%s  %s  masquerade=%s".formatted(row.frontend(), row.service(), row.masquerade());
        return switch (row.verdict()) {
            case Verdict.SendTo(var targets) ->
                head + "\n"
                        + targets.stream().map(target -> "    " + target + "\n").collect(Collectors.joining());
            case Verdict.Reject _ -> head + "  reject\n";
            case Verdict.Drop _ -> head + "  drop\n";
        };
    }
}
