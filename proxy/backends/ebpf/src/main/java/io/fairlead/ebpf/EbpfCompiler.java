package io.fairlead.ebpf;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.EbpfEntry.Attached;
import io.fairlead.ebpf.EbpfEntry.Endpoint;
import io.fairlead.ebpf.EbpfEntry.Led;
import io.fairlead.ebpf.EbpfEntry.Local;
import io.fairlead.ebpf.EbpfEntry.Member;
import io.fairlead.ebpf.EbpfEntry.Name;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.kernel.BpfHook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// From the rows of a Service to the entries it needs. Pure.
///
/// Only what a program can do that sees a connection before it has a packet, and with the same meaning: all else has no
/// entry here, and the layer below leads it.
final class EbpfCompiler {
    private final LocalPods pods;

    EbpfCompiler(LocalPods pods) {
        this.pods = pods;
    }

    static List<EbpfEntry> foundation() {
        String version = EbpfObject.shipped().version();
        return Arrays.stream(BpfHook.values())
                .<EbpfEntry>map(hook -> new Attached(hook, version))
                .toList();
    }

    List<EbpfEntry> compile(List<Forwarding> rows) {
        List<EbpfEntry> entries = new ArrayList<>();
        rows.forEach(row ->
                row.frontend().address().filter(_ -> isOurs(row)).ifPresent(address -> add(row, address, entries)));
        return entries;
    }

    /// Whether the program knows of a connection all that the row asks for.
    ///
    /// A node port is at addresses that it cannot tell, the client has no address yet, and SCTP has no hook.
    private boolean isOurs(Forwarding row) {
        return row.frontend().protocol() != Protocol.SCTP
                && row.affinity() instanceof Affinity.None
                && row.sources().isAll()
                && (!row.isDivided() || pods.isKnown(row.frontend().family()));
    }

    /// Who uses this layer is inside the node.
    private static void add(Forwarding row, Ip address, List<EbpfEntry> entries) {
        Place frontend = new Place(
                new IpPort(address, row.frontend().port()), row.frontend().protocol());
        switch (row.inside()) {
            case Verdict.SendTo(List<Target> targets) -> {
                if (keepsSource(row.masquerade())) {
                    entries.add(new Name(frontend, row.service().toString()));
                    lead(frontend, new TargetSet(frontend.protocol(), targets), entries);
                }
            }
            case Verdict.Reject _ -> {
                entries.add(new Name(frontend, row.service().toString()));
                entries.add(Led.nowhere(frontend));
            }
            case Verdict.Drop _ -> {} // a program can refuse, but not be silent
        }
    }

    /// A connection that was led before it began has the source that the kernel gives it: a pod's own address, or the
    /// node's.
    private static boolean keepsSource(Masquerade masquerade) {
        return switch (masquerade) {
            case OFF_CLUSTER, FROM_NODE -> true;
            case NEVER, ALWAYS -> false;
        };
    }

    private static void lead(Place frontend, TargetSet set, List<EbpfEntry> entries) {
        long number = set.number();
        List<Target> targets = set.targets();
        entries.add(new Led(frontend, number, targets.size(), false, set.hasClients(), false));
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
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
