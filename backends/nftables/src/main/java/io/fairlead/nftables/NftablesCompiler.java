package io.fairlead.nftables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.Plan.Entrance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// From the rows of a Service to the entries it needs. Pure.
///
/// No chain and no rule is made for a Service or an endpoint: a row is one element of `service`, and each of its
/// targets one of `endpoint`. Chains are made for numbers of endpoints, and shared.
final class NftablesCompiler {
    private final List<Cidr> podNetworks;

    NftablesCompiler(NodeFacts node) {
        this.podNetworks = node.pods() instanceof LocalPods.Networks(var networks) ? networks : List.of();
    }

    List<NftablesEntry> foundation() {
        return Arrays.stream(Family.values())
                .flatMap(family -> Foundation.of(family, podNetworks).stream())
                .toList();
    }

    List<NftablesEntry> compile(List<Forwarding> rows) {
        List<NftablesEntry> entries = new ArrayList<>();
        for (Forwarding row : rows) {
            Entrance entrance = entrance(row.frontend());
            switch (row.verdict()) {
                case Verdict.SendTo(List<Target> targets) -> sendTo(row, targets, entries);
                case Verdict.Reject _ -> entries.add(element(row, entrance.rejected(), new Content.Nothing()));
                case Verdict.Drop _ -> entries.add(element(row, entrance.dropped(), new Content.Nothing()));
            }
        }
        return entries;
    }

    /// Entries of every kind that this compiler makes: what a kernel must be able to hold.
    List<NftablesEntry> sample() {
        List<NftablesEntry> entries = new ArrayList<>(foundation());
        for (String address : List.of("192.0.2.1", "2001:db8::1")) { // addresses for examples: RFC 5737, RFC 3849
            Ip ip = Ip.parse(address);
            ServicePortName name = new ServicePortName(new NamespacedName("sample", "sample"), "", Protocol.TCP);
            Verdict verdict = new Verdict.SendTo(List.of(new Target(new IpPort(ip, 80), true)));
            Frontend clusterIp = new Frontend.VirtualAddress(ip, Protocol.TCP, 80);
            Frontend nodePort = new Frontend.NodePort(ip.family(), Protocol.TCP, 80);
            entries.addAll(compile(List.of(
                    Forwarding.of(clusterIp, name, verdict, Masquerade.OFF_CLUSTER),
                    Forwarding.of(nodePort, name, verdict, Masquerade.ALWAYS))));
        }
        return entries;
    }

    private static Entrance entrance(Frontend frontend) {
        return switch (frontend) {
            case Frontend.VirtualAddress _, Frontend.ExternalAddress _, Frontend.LoadBalancerAddress _ -> Entrance.ADDRESS;
            case Frontend.NodePort _ -> Entrance.NODE_PORT;
        };
    }

    private static Bytes key(Frontend frontend) {
        return switch (frontend) {
            case Frontend.VirtualAddress(var ip, var protocol, var port) ->
                Bytes.NONE.and(ip).and(protocol).andPort(port);
            case Frontend.ExternalAddress(var ip, var protocol, var port) ->
                Bytes.NONE.and(ip).and(protocol).andPort(port);
            case Frontend.LoadBalancerAddress(var ip, var protocol, var port) ->
                Bytes.NONE.and(ip).and(protocol).andPort(port);
            case Frontend.NodePort(var _, var protocol, var port) ->
                Bytes.NONE.and(protocol).andPort(port);
        };
    }

    private void sendTo(Forwarding row, List<Target> targets, List<NftablesEntry> entries) {
        Family family = row.frontend().family();
        Plan plan = new Plan(entrance(row.frontend()), row.masquerade(), targets.size());
        if (!plan.isStanding()) {
            entries.addAll(plan.entries(family, podNetworks));
        }
        entries.add(element(row, plan.entrance().services(), new Content.Values(plan.key())));
        Bytes frontend = key(row.frontend());
        String comment = row.service().toString();
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            Content content = new Content.Values(address(target));
            entries.add(new Element(family, plan.entrance().endpoints(), frontend.andNumber(i), content, comment));
            if (target.local()) {
                entries.add(hairpin(target));
            }
        }
    }

    private static Bytes address(Target target) {
        return Bytes.NONE.and(target.address().ip()).andPort(target.address().port());
    }

    private static NftablesEntry hairpin(Target target) {
        Ip pod = target.address().ip();
        Bytes pair = Bytes.NONE.and(pod).and(pod);
        return new Element(pod.family(), SetShape.HAIRPIN, pair, new Content.Nothing(), "");
    }

    /// The element of a frontend in one of its sets.
    private static NftablesEntry element(Forwarding row, SetShape set, Content content) {
        Frontend frontend = row.frontend();
        return new Element(
                frontend.family(), set, key(frontend), content, row.service().toString());
    }
}
