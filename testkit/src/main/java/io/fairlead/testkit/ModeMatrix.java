package io.fairlead.testkit;

import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Frontend;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What became of the flows of the scenarios, mode by mode: a line for each kind of flow, a column for each mode.
///
/// It says only where a mode differs from what the scenario says; all else is as in every mode.
public final class ModeMatrix {
    private static final String SAME = "=";
    private static final String NEVER = "-";

    private final List<String> modes;
    private final Map<String, Map<String, Set<String>>> seen = new TreeMap<>(); // kind, mode: in what it differed

    public ModeMatrix(List<String> modes) {
        this.modes = List.copyOf(modes);
    }

    /// What kind of flow it is: who sends what to what, and what must become of it.
    public static String kind(Scenario scenario, Flow flow) {
        return "%s to %s, %s%s"
                .formatted(
                        switch (flow.sender()) {
                            case Flow.Sender.FromPod _ -> "pod";
                            case Flow.Sender.FromNode _ -> "node";
                            case Flow.Sender.FromOutside _ -> "outside";
                        },
                        destination(scenario, flow),
                        switch (flow.outcome()) {
                            case Flow.Outcome.Reaches _ -> "reaches a pod";
                            case Flow.Outcome.Stays _ -> "reaches the same pod each time";
                            case Flow.Outcome.Leaves _ -> "goes on unchanged";
                            case Flow.Outcome.Refused _ -> "is refused";
                            case Flow.Outcome.Dropped _ -> "is dropped";
                        },
                        flow.protocol() == Protocol.TCP ? "" : " (" + flow.protocol() + ")");
    }

    private static String destination(Scenario scenario, Flow flow) {
        return scenario.nodes().stream()
                .flatMap(node -> node.table().all())
                .map(row -> row.frontend())
                .filter(frontend -> leadsTo(scenario, frontend, flow))
                .map(ModeMatrix::text)
                .findFirst()
                .orElse("another address");
    }

    private static boolean leadsTo(Scenario scenario, Frontend frontend, Flow flow) {
        IpPort to = flow.destination();
        return frontend.protocol() == flow.protocol()
                && frontend.port() == to.port()
                && frontend.address()
                        .map(to.ip()::equals)
                        .orElseGet(() -> scenario.nodeAt(to.ip()).isPresent());
    }

    private static String text(Frontend frontend) {
        return switch (frontend) {
            case Frontend.VirtualAddress _ -> "a ClusterIP";
            case Frontend.NodePort _ -> "a node port";
            case Frontend.ExternalAddress _ -> "an external address";
            case Frontend.LoadBalancerAddress _ -> "a load balancer's address";
        };
    }

    /// A flow of a kind was as the scenario says in a mode, but for `difference`; nothing is no difference.
    public synchronized void add(String kind, String mode, String difference) {
        Set<String> differences =
                seen.computeIfAbsent(kind, _ -> new TreeMap<>()).computeIfAbsent(mode, _ -> new TreeSet<>());
        if (!difference.isEmpty()) {
            differences.add(difference);
        }
    }

    /// In what `actual` differs from `wanted`, both as [FlowCheck] tells them; nothing if in something that no mode may
    /// differ in.
    public static Optional<String> difference(String wanted, String actual) {
        if (wanted.equals(actual)) {
            return Optional.of("");
        }
        String source = "source [^,\\]]+";
        if (actual.equals(new Flow.Outcome.Refused().toString()) && wanted.startsWith("reaches")) {
            return Optional.of("refused");
        }
        if (wanted.replaceAll(source, "source").equals(actual.replaceAll(source, "source"))) {
            return Optional.of(actual.contains("source kept") ? "source: the client's" : "source: the node's");
        }
        return Optional.empty();
    }

    public Set<String> kinds() {
        return Set.copyOf(seen.keySet());
    }

    /// What stands in the table for a kind of flow and a mode.
    public String cell(String kind, String mode) {
        Set<String> differences = seen.getOrDefault(kind, Map.of()).get(mode);
        if (differences == null) {
            return NEVER;
        }
        return differences.isEmpty() ? SAME : String.join("; ", differences);
    }

    /// The table as text.
    public String text() {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("WHAT IS SENT"));
        modes.forEach(mode -> head.add(mode));
        lines.add(head);
        for (String kind : seen.keySet()) {
            List<String> line = new ArrayList<>(List.of(kind));
            modes.forEach(mode -> line.add(cell(kind, mode)));
            lines.add(line);
        }
        int[] widths = new int[head.size()];
        lines.forEach(line -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        });
        return lines.stream().map(line -> padded(line, widths)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String padded(List<String> line, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            text.append(line.get(i)).repeat(' ', widths[i] - line.get(i).length() + 3);
        }
        return text.toString().stripTrailing();
    }

    /// A table that [#text] wrote.
    public static ModeMatrix parse(String text) {
        List<List<String>> lines =
                text.lines().map(line -> List.of(line.split(" {3,}", -1))).toList();
        List<String> modes = lines.getFirst().subList(1, lines.getFirst().size());
        ModeMatrix matrix = new ModeMatrix(modes);
        for (List<String> line : lines.subList(1, lines.size())) {
            for (int i = 0; i < modes.size(); i++) {
                String cell = line.get(i + 1);
                if (!cell.equals(NEVER)) {
                    matrix.seen
                            .computeIfAbsent(line.getFirst(), _ -> new TreeMap<>())
                            .put(
                                    modes.get(i),
                                    cell.equals(SAME) ? new HashSet<>() : new TreeSet<>(Set.of(cell.split("; "))));
                }
            }
        }
        return matrix;
    }
}
