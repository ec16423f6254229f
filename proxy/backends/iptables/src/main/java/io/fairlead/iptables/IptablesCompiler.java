package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.SharesNotes;
import io.fairlead.forwarding.Tracer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// From the rows of a Service to the entries it needs. Pure.
///
/// A port of a Service has a chain that chooses, and each of its endpoints one that leads there: so a change of
/// one endpoint writes two chains. What Services share gets one line for each frontend.
final class IptablesCompiler implements Compiler<IptablesEntry> {
    /// As in kube-proxy. The old packet filter takes a table whole, and comments are half of a large one.
    private static final int MOST_COMMENTED = 1_000;

    private final NodeFacts node;
    private final Traits traits;

    IptablesCompiler(NodeFacts node, Traits traits) {
        this.node = node;
        this.traits = traits;
    }

    @Override
    public List<IptablesEntry> foundation(NodeFacts now) {
        return traits.families().stream()
                .flatMap(family -> Foundation.of(family, now, traits).stream())
                .toList();
    }

    @Override
    public Compiled<IptablesEntry> compile(List<Forwarding> rows, Detail detail) {
        Comments comments = switch (detail) {
            case FULL -> Comments.ALL;
            case TERSE -> Comments.OF_FRONTENDS;
        };
        return new Compiled<>(entries(rows, comments), SharesNotes.of(rows, Balancing.MOST_SHARES));
    }

    @Override
    public OptionalInt mostInFull() {
        return OptionalInt.of(MOST_COMMENTED);
    }

    @Override
    public Tracer tracer(Program<IptablesEntry> program, NodeFacts now) {
        return new IptablesTracer(program, now.addresses());
    }

    List<IptablesEntry> entries(List<Forwarding> rows, Comments comments) {
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
                entries.addAll(PortEntries.of(port, own, new PodMatch(node.pods(), port.family()), comments)));
        return entries;
    }
}
