package io.fairlead.ebpf;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.EbpfEntry.Attached;
import io.fairlead.ebpf.EbpfEntry.Endpoint;
import io.fairlead.ebpf.EbpfEntry.Led;
import io.fairlead.ebpf.EbpfEntry.Local;
import io.fairlead.ebpf.EbpfEntry.Member;
import io.fairlead.ebpf.EbpfEntry.Name;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Note;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Tracer;
import io.fairlead.forwarding.Verdict;
import io.fairlead.kernel.BpfHook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// From the rows of a Service to the entries it needs. Pure.
///
/// Only what a program can do that sees a connection before it has a packet, and with the same meaning: all else
/// has no entry here, and the layer below leads it.
final class EbpfCompiler implements Compiler<EbpfEntry> {
    private final LocalPods pods;
    private final Set<NamespacedName> answered;

    EbpfCompiler(LocalPods pods) {
        this(pods, Set.of());
    }

    /// `answered` are Services that a server of this node answers: it takes their packets, as long as they have its
    /// address.
    EbpfCompiler(LocalPods pods, Set<NamespacedName> answered) {
        this.pods = pods;
        this.answered = Set.copyOf(answered);
    }

    @Override
    public List<EbpfEntry> foundation(NodeFacts node) {
        String version = EbpfObject.shipped().version();
        return Arrays.stream(BpfHook.values())
                .<EbpfEntry>map(hook -> new Attached(hook, version))
                .toList();
    }

    @Override
    public Compiled<EbpfEntry> compile(List<Forwarding> rows, Detail detail) {
        List<EbpfEntry> entries = new ArrayList<>();
        List<Note> notes = new ArrayList<>();
        for (Forwarding row : rows) {
            if (isOurs(row)) {
                row.frontend().address().ifPresent(address -> add(row, address, entries, notes));
            }
        }
        return new Compiled<>(entries, notes);
    }

    @Override
    public Tracer tracer(Program<EbpfEntry> program, NodeFacts node) {
        return new EbpfTracer(program);
    }

    /// Whether the program knows of a connection all that the row asks for.
    ///
    /// A node port is at addresses that it cannot tell, the client has no address yet, and SCTP has no hook.
    private boolean isOurs(Forwarding row) {
        return row.frontend().protocol() != Protocol.SCTP
                && row.affinity() instanceof Affinity.None
                && row.sources().isAll()
                && !answered.contains(row.service().service())
                && !isByAddress(row.scheduler())
                && (!row.isDivided() || pods.isKnown(row.frontend().family()));
    }

    private static boolean isByAddress(Scheduler scheduler) {
        return scheduler == Scheduler.SH || scheduler == Scheduler.DH || scheduler == Scheduler.MH;
    }

    /// Who uses this layer is inside the node.
    private static void add(Forwarding row, Ip address, List<EbpfEntry> entries, List<Note> notes) {
        AddressKey frontend = new AddressKey(
                new IpPort(address, row.frontend().port()), row.frontend().protocol());
        switch (row.inside()) {
            case Verdict.SendTo(List<Target> targets) -> {
                TargetSet set = new TargetSet(frontend.protocol(), Slots.of(targets, row.scheduler()));
                if (needsNoOtherSource(row) && !set.slots().isEmpty()) {
                    entries.add(new Name(frontend, row.service().toString()));
                    lead(frontend, set, isByTurns(row.scheduler()), entries);
                    note(row, notes);
                }
            }
            case Verdict.Reject _ -> {
                entries.add(new Name(frontend, row.service().toString()));
                entries.add(Led.nowhere(frontend));
            }
            case Verdict.Drop _ -> {} // a program can refuse, but not be silent
        }
    }

    /// A connection that was led before it began has the source that the kernel gives it: a pod's own address, or
    /// the node's. At external addresses other modes masquerade, so that answers come back by way of this node.
    /// Here they need not.
    private static boolean needsNoOtherSource(Forwarding row) {
        return switch (row.masquerade()) {
            case OFF_CLUSTER, FROM_NODE -> true;
            case ALWAYS -> !(row.frontend() instanceof Frontend.VirtualAddress);
            case NEVER -> false;
        };
    }

    private static boolean isByTurns(Scheduler scheduler) {
        return scheduler == Scheduler.RR || scheduler == Scheduler.WRR;
    }

    private static void note(Forwarding row, List<Note> notes) {
        switch (row.scheduler()) {
            case LC -> notes.add(row.note("the scheduler lc", "a target is drawn at random"));
            case WLC, SED, NQ ->
                notes.add(row.note("the scheduler " + row.scheduler(), "a target is drawn at random, by weight"));
            case NODE_DEFAULT, RR, WRR, SH, DH, MH -> {}
        }
    }

    private static void lead(AddressKey frontend, TargetSet set, boolean byTurns, List<EbpfEntry> entries) {
        long number = set.number();
        List<Target> slots = set.slots();
        entries.add(new Led(frontend, number, slots.size(), false, set.hasClients(), byTurns));
        for (int i = 0; i < slots.size(); i++) {
            Target target = slots.get(i);
            entries.add(new Endpoint(number, i, set.place(target)));
            if (frontend.protocol() == Protocol.UDP) {
                entries.add(new Member(number, set.place(target)));
            }
            if (TargetSet.mayBeClient(target)) {
                entries.add(new Local(number, target.address().ip()));
            }
        }
    }
}
