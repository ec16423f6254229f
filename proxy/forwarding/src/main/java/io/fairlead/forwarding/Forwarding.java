package io.fairlead.forwarding;

import io.fairlead.api.IpPort;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One row: connections to `frontend` get `verdict`; those that begin inside this node, in its own pods and
/// processes, get `inside`.
///
/// The two differ only where a Service keeps outside connections on the node they came to (`externalTrafficPolicy:
/// Local`). Who is a pod of this node is told by [LocalPods]. The verdict is for `sources`; others are dropped.
///
/// @param refusesOtherPorts whether the address of the frontend is on no machine, so that a connection to a port of
/// it
///     that has no row is refused
/// @param inServiceNetwork whether what is said of the networks of Services holds for the address of the frontend: it
/// is in
///     one of them, or none is known
/// @param staysOnNode whether the verdict comes of a policy that keeps connections on this node; only names depend on
/// it
public record Forwarding(
        Frontend frontend,
        ServicePortName service,
        Verdict verdict,
        Verdict inside,
        Masquerade masquerade,
        Affinity affinity,
        Sources sources,
        boolean refusesOtherPorts,
        boolean inServiceNetwork,
        boolean staysOnNode) {

    /// A row that is the same for everybody, remembers nobody and lets everybody in.
    public static Forwarding of(Frontend frontend, ServicePortName service, Verdict verdict, Masquerade masquerade) {
        boolean virtual = frontend instanceof Frontend.VirtualAddress;
        return new Forwarding(
                frontend,
                service,
                verdict,
                verdict,
                masquerade,
                new Affinity.None(),
                Sources.ALL,
                virtual,
                virtual,
                false);
    }

    public Forwarding withInside(Verdict inside) {
        return new Forwarding(
                frontend,
                service,
                verdict,
                inside,
                masquerade,
                affinity,
                sources,
                refusesOtherPorts,
                inServiceNetwork,
                staysOnNode);
    }

    public Forwarding withAffinity(Affinity affinity) {
        return new Forwarding(
                frontend,
                service,
                verdict,
                inside,
                masquerade,
                affinity,
                sources,
                refusesOtherPorts,
                inServiceNetwork,
                staysOnNode);
    }

    public Forwarding withSources(Sources sources) {
        return new Forwarding(
                frontend,
                service,
                verdict,
                inside,
                masquerade,
                affinity,
                sources,
                refusesOtherPorts,
                inServiceNetwork,
                staysOnNode);
    }

    public Forwarding withOtherPortsRefused(boolean refused) {
        return new Forwarding(
                frontend,
                service,
                verdict,
                inside,
                masquerade,
                affinity,
                sources,
                refused,
                inServiceNetwork,
                staysOnNode);
    }

    public Forwarding withServiceNetwork(boolean known) {
        return new Forwarding(
                frontend,
                service,
                verdict,
                inside,
                masquerade,
                affinity,
                sources,
                refusesOtherPorts,
                known,
                staysOnNode);
    }

    public Forwarding withStayOnNode(boolean stays) {
        return new Forwarding(
                frontend,
                service,
                verdict,
                inside,
                masquerade,
                affinity,
                sources,
                refusesOtherPorts,
                inServiceNetwork,
                stays);
    }

    /// Whether what begins inside is led otherwise than the rest.
    @SuppressWarnings("ReferenceEquality") // mostly they are one, and lists are slow to compare
    public boolean isDivided() {
        return inside != verdict && !inside.equals(verdict);
    }

    /// How many targets these rows lead to, for insiders or others; each port of a Service has its own.
    static int targets(List<Forwarding> rows) {
        record OfPort(ServicePortName port, IpPort address) {}
        Set<OfPort> targets = new HashSet<>();
        for (Forwarding row : rows) {
            for (Verdict verdict : List.of(row.verdict, row.inside)) {
                if (verdict instanceof Verdict.SendTo(List<Target> some)) {
                    some.forEach(target -> targets.add(new OfPort(row.service, target.address())));
                }
            }
        }
        return targets.size();
    }

    /// Whether `target` may come to this row itself, and so reach itself: then it is masqueraded, whatever the row
    /// says of others.
    ///
    /// A pod of another node comes here for a node port alone: all else was translated where it runs.
    public boolean mayLeadBack(Target target) {
        return target.local()
                || target.unplaced()
                || (frontend instanceof Frontend.NodePort && masquerade == Masquerade.FROM_NODE);
    }
}
