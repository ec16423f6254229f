package io.fairlead.forwarding;

/// One row: connections to `frontend` get `verdict`; those that begin inside this node, in its own pods and processes,
/// get `inside`.
///
/// The two differ only where a Service keeps outside connections on the node they came to (`externalTrafficPolicy:
/// Local`). Who is a pod of this node is told by [LocalPods]. The verdict is for `sources`; others are dropped.
///
/// @param refusesOtherPorts whether the address of the frontend is on no machine, so that a connection to a port of it
///     that has no row is refused
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
        boolean staysOnNode) {

    /// A row that is the same for everybody, remembers nobody and lets everybody in.
    public static Forwarding of(Frontend frontend, ServicePortName service, Verdict verdict, Masquerade masquerade) {
        boolean virtual = frontend instanceof Frontend.VirtualAddress;
        return new Forwarding(
                frontend, service, verdict, verdict, masquerade, new Affinity.None(), Sources.ALL, virtual, false);
    }

    public Forwarding withInside(Verdict inside) {
        return new Forwarding(
                frontend, service, verdict, inside, masquerade, affinity, sources, refusesOtherPorts, staysOnNode);
    }

    public Forwarding withAffinity(Affinity affinity) {
        return new Forwarding(
                frontend, service, verdict, inside, masquerade, affinity, sources, refusesOtherPorts, staysOnNode);
    }

    public Forwarding withSources(Sources sources) {
        return new Forwarding(
                frontend, service, verdict, inside, masquerade, affinity, sources, refusesOtherPorts, staysOnNode);
    }

    public Forwarding withOtherPortsRefused(boolean refused) {
        return new Forwarding(frontend, service, verdict, inside, masquerade, affinity, sources, refused, staysOnNode);
    }

    public Forwarding withStayOnNode(boolean stays) {
        return new Forwarding(
                frontend, service, verdict, inside, masquerade, affinity, sources, refusesOtherPorts, stays);
    }

    /// Whether `target` may come to this row itself, and so reach itself: then it is masqueraded, whatever the row says
    /// of others.
    ///
    /// A pod of another node comes here for a node port alone: all else was translated where it runs.
    public boolean mayLeadBack(Target target) {
        return target.local() || (frontend instanceof Frontend.NodePort && masquerade == Masquerade.FROM_NODE);
    }
}
