package io.fairlead.userspace;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Note;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Tracer;
import io.fairlead.forwarding.Verdict;
import io.fairlead.userspace.UserspaceEntry.Action;
import io.fairlead.userspace.UserspaceEntry.Closed;
import io.fairlead.userspace.UserspaceEntry.Gate;
import io.fairlead.userspace.UserspaceEntry.Guard;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows to portals: one for each row, two where those inside are led otherwise. Pure.
final class UserspaceCompiler implements Compiler<UserspaceEntry> {
    @Override
    public List<UserspaceEntry> foundation(NodeFacts node) {
        return Arrays.stream(Family.values())
                .<UserspaceEntry>map(
                        family -> new Gate(family, node.pods(), node.nodePortNetworks(family), services(node, family)))
                .toList();
    }

    private static List<Cidr> services(NodeFacts node, Family family) {
        return node.serviceNetworks().stream()
                .filter(network -> network.family() == family)
                .sorted()
                .toList();
    }

    @Override
    public Compiled<UserspaceEntry> compile(List<Forwarding> rows, Detail detail) {
        List<UserspaceEntry> entries = new ArrayList<>();
        List<Note> notes = new ArrayList<>();
        for (Forwarding row : rows) {
            compile(row, entries);
            note(row, notes);
        }
        return new Compiled<>(entries, notes);
    }

    private static void compile(Forwarding row, List<UserspaceEntry> entries) {
        PortalAddress place = PortalAddress.of(row.frontend());
        entries.add(new Portal(place, false, row.service(), action(row, row.verdict())));
        if (row.isDivided()) {
            entries.add(new Portal(place, true, row.service(), action(row, row.inside())));
        }
        if (!row.sources().isAll()) {
            entries.add(new Guard(place, row.sources()));
        }
        if (row.refusesOtherPorts()) {
            row.frontend().address().map(Closed::new).ifPresent(entries::add);
        }
    }

    private static Action action(Forwarding row, Verdict verdict) {
        return switch (verdict) {
            case Verdict.SendTo(var targets) ->
                isRelayed(row)
                        ? new Action.Relay(targets, scheduler(row.scheduler()), row.affinity())
                        : new Action.Refuse();
            case Verdict.Reject _ -> new Action.Refuse();
            case Verdict.Drop _ -> new Action.Discard();
        };
    }

    private static boolean isRelayed(Forwarding row) {
        return row.frontend().protocol() != Protocol.SCTP;
    }

    private static Scheduler scheduler(Scheduler asked) {
        return switch (asked) {
            case NODE_DEFAULT -> Scheduler.WRR;
            case DH, MH -> Scheduler.SH;
            case RR, WRR, LC, WLC, SED, NQ, SH -> asked;
        };
    }

    private static void note(Forwarding row, List<Note> notes) {
        if (!isRelayed(row) && row.verdict() instanceof Verdict.SendTo) {
            notes.add(row.note("SCTP", "refused: the relay speaks TCP and UDP"));
        }
        Scheduler asked = row.scheduler();
        if (asked == Scheduler.DH || asked == Scheduler.MH) {
            notes.add(row.note("scheduler " + asked, "scheduler " + scheduler(asked)));
        }
    }

    @Override
    public Tracer tracer(Program<UserspaceEntry> program, NodeFacts node) {
        return new UserspaceTracer(program, node.addresses());
    }
}
