package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.ipvs.IpvsEntry.Address;
import io.fairlead.ipvs.IpvsEntry.Member;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsEntry.VirtualServer;
import io.fairlead.ipvs.SetName.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the rows of one Service need.
///
/// Each frontend has a virtual server for all but those inside. Where a policy keeps others on the node, those inside
/// have one of their own, for a mark. One without real servers refuses; what is to be dropped never gets to it.
final class RowEntries {
    private final Marks marks;
    private final String usual;
    private final List<Forwarding> rows;
    private final List<IpvsEntry> entries = new ArrayList<>();

    private RowEntries(Marks marks, String usual, List<Forwarding> rows) {
        this.marks = marks;
        this.usual = usual;
        this.rows = rows;
    }

    /// `usual` is the scheduler of Services that ask for none.
    static List<IpvsEntry> of(List<Forwarding> rows, Marks marks, String usual) {
        RowEntries made = new RowEntries(marks, usual, rows);
        rows.forEach(made::add);
        return made.entries;
    }

    private void add(Forwarding row) {
        switch (row.frontend()) {
            case Frontend.VirtualAddress(Ip ip, Protocol protocol, int port) -> {
                entries.add(member(row, Kind.CLUSTER_IP, 0));
                server(row, new ServerAddress.At(ip, protocol, port), row.verdict());
            }
            case Frontend.ExternalAddress(Ip ip, Protocol protocol, int port) -> {
                if (isLocal(row)) {
                    entries.add(member(row, Kind.EXTERNAL_IP_LOCAL, insideMark(row)));
                } else {
                    entries.add(member(row, Kind.EXTERNAL_IP, 0));
                }
                server(row, new ServerAddress.At(ip, protocol, port), row.verdict());
            }
            case Frontend.LoadBalancerAddress(Ip ip, Protocol protocol, int port) -> {
                entries.add(member(row, Kind.LOAD_BALANCER, 0));
                if (isLocal(row)) {
                    entries.add(member(row, Kind.LOAD_BALANCER_LOCAL, insideMark(row)));
                }
                sources(row);
                server(row, new ServerAddress.At(ip, protocol, port), row.verdict());
            }
            case Frontend.NodePort(Family family, Protocol protocol, int port) -> nodePort(row, family, protocol, port);
        }
        if (row.refusesOtherPorts()) {
            row.frontend().address().ifPresent(ip -> entries.add(new Address(ip)));
        }
        if (isLocal(row)) {
            server(row, new ServerAddress.Marked(row.frontend().family(), insideNumber(row)), row.inside());
        }
        hairpin(row);
    }

    private void nodePort(Forwarding row, Family family, Protocol protocol, int port) {
        int mark = marks.nodePort(protocol, port) | (row.masquerade() == Masquerade.ALWAYS ? marks.masquerade() : 0);
        server(row, new ServerAddress.Marked(family, mark), row.verdict());
        ports(row, false, row.verdict() instanceof Verdict.Drop ? marks.dropped() : mark);
        if (isLocal(row)) {
            ports(row, true, insideMark(row));
        }
    }

    /// The members for a node port. The set for SCTP is one of networks: two halves are everywhere.
    private void ports(Forwarding row, boolean local, int mark) {
        Frontend frontend = row.frontend();
        Kind kind = switch (frontend.protocol()) {
            case TCP -> local ? Kind.NODE_PORT_LOCAL_TCP : Kind.NODE_PORT_TCP;
            case UDP -> local ? Kind.NODE_PORT_LOCAL_UDP : Kind.NODE_PORT_UDP;
            case SCTP -> local ? Kind.NODE_PORT_LOCAL_SCTP_HASH : Kind.NODE_PORT_SCTP_HASH;
        };
        SetName set = new SetName(frontend.family(), kind);
        if (kind.shape() == SetName.Shape.PORT) {
            entries.add(new Member(set, Element.of(frontend.port()), mark, comment(row)));
        } else {
            halves(frontend.family())
                    .forEach(half -> entries.add(new Member(
                            set, Element.of(half, frontend.protocol(), frontend.port()), mark, comment(row))));
        }
    }

    private static Stream<Cidr> halves(Family family) {
        return (family == Family.IPV4 ? Stream.of("0.0.0.0/1", "128.0.0.0/1") : Stream.of("::/1", "8000::/1"))
                .map(Cidr::parse);
    }

    private void server(Forwarding row, ServerAddress place, Verdict verdict) {
        int persistence = row.affinity() instanceof Affinity.ClientIp(var timeout) ? (int) timeout.toSeconds() : 0;
        entries.add(new VirtualServer(place, scheduling(row, verdict), persistence));
        switch (verdict) {
            case Verdict.SendTo(List<Target> targets) ->
                targets.stream()
                        .filter(target -> target.weight() > 0)
                        .forEach(target -> entries.add(new RealServer(place, target.address(), target.weight())));
            case Verdict.Reject _ -> {}
            case Verdict.Drop _ -> {
                if (place instanceof ServerAddress.At) {
                    entries.add(member(row, Kind.DROP, 0));
                }
            }
        }
    }

    /// Where weights differ they count, also with a scheduler that would not look at them.
    private Scheduling scheduling(Forwarding row, Verdict verdict) {
        String name = row.scheduler() == Scheduler.NODE_DEFAULT
                ? usual
                : row.scheduler().toString();
        boolean weighted = verdict instanceof Verdict.SendTo(List<Target> targets)
                && targets.stream().mapToInt(Target::weight).distinct().count() > 1;
        return Scheduling.of(weighted ? Scheduling.byWeight(name) : name);
    }

    private void sources(Forwarding row) {
        if (row.sources().isAll()) {
            return;
        }
        entries.add(member(row, Kind.LOAD_BALANCER_FW, 0));
        for (Cidr source : row.sources().allowed()) {
            boolean alone = source.prefix() == source.family().bits();
            SetName set = new SetName(
                    row.frontend().family(), alone ? Kind.LOAD_BALANCER_SOURCE_IP : Kind.LOAD_BALANCER_SOURCE_CIDR);
            entries.add(new Member(set, element(row).from(source), 0));
        }
    }

    private void hairpin(Forwarding row) {
        SetName set = new SetName(row.frontend().family(), Kind.LOOP_BACK);
        for (Verdict verdict : List.of(row.verdict(), row.inside())) {
            if (verdict instanceof Verdict.SendTo(List<Target> targets)) {
                targets.stream().filter(row::mayLeadBack).forEach(target -> {
                    Ip ip = target.address().ip();
                    Element itself = Element.of(
                                    ip,
                                    row.frontend().protocol(),
                                    target.address().port())
                            .from(Element.alone(ip));
                    entries.add(new Member(set, itself, 0));
                });
            }
        }
    }

    /// Whether a policy keeps connections from outside on the node, so that they keep their source.
    private static boolean isLocal(Forwarding row) {
        return row.masquerade() == Masquerade.FROM_NODE;
    }

    private int insideMark(Forwarding row) {
        return row.inside() instanceof Verdict.Drop ? marks.dropped() : insideNumber(row);
    }

    /// All frontends of a port lead those inside to one virtual server.
    private int insideNumber(Forwarding row) {
        int nodePort = rows.stream()
                .filter(other -> other.service().equals(row.service())
                        && other.frontend() instanceof Frontend.NodePort
                        && other.frontend().family() == row.frontend().family())
                .mapToInt(other -> other.frontend().port())
                .findFirst()
                .orElse(0);
        return marks.inside(row.service(), nodePort);
    }

    private static Member member(Forwarding row, Kind kind, int mark) {
        SetName set = new SetName(row.frontend().family(), kind);
        return new Member(set, element(row), mark, kind.isFrontend() ? comment(row) : "");
    }

    private static String comment(Forwarding row) {
        return new Owner(row.service(), row.drain()).toString();
    }

    private static Element element(Forwarding row) {
        Frontend frontend = row.frontend();
        return Element.of(frontend.address().orElseThrow(), frontend.protocol(), frontend.port());
    }
}
