package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// From the rows of a Service to the entries it needs. Pure.
///
/// A port of a Service has a chain that chooses, and each of its endpoints one that leads there: so a change of one
/// endpoint writes two chains. What Services share gets one line for each frontend.
final class IptablesCompiler {
    private final NodeFacts node;
    private final Traits traits;

    IptablesCompiler(NodeFacts node, Traits traits) {
        this.node = node;
        this.traits = traits;
    }

    List<IptablesEntry> foundation(NodeFacts now) {
        return traits.families().stream()
                .flatMap(family -> Foundation.of(family, now, traits).stream())
                .toList();
    }

    List<IptablesEntry> compile(List<Forwarding> rows) {
        return compile(rows, Comments.ALL);
    }

    /// Without comments in what grows with the endpoints.
    List<IptablesEntry> compileTersely(List<Forwarding> rows) {
        return compile(rows, Comments.OF_FRONTENDS);
    }

    private List<IptablesEntry> compile(List<Forwarding> rows, Comments comments) {
        Map<Port, List<Forwarding>> ports = new LinkedHashMap<>();
        for (Forwarding row : rows) {
            Family family = row.frontend().family();
            if (traits.families().contains(family)) {
                ports.computeIfAbsent(new Port(row.service(), family), _ -> new ArrayList<>())
                        .add(row);
            }
        }
        List<IptablesEntry> entries = new ArrayList<>();
        ports.forEach((port, own) ->
                entries.addAll(PortEntries.of(port, own, new Pods(node.pods(), port.family()), comments)));
        return entries;
    }
}
