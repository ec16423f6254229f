package io.fairlead.nftables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Sources;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Tracer;
import io.fairlead.forwarding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// From the rows of a Service to the entries it needs. Pure.
///
/// No chain and no rule is made for a Service or an endpoint: a row is one element of `service`, and each of
/// its targets one of `endpoint`. Chains are made for numbers of endpoints, and shared. What depends on the
/// node is in the foundation alone.
final class NftablesCompiler implements Compiler<NftablesEntry> {
    @Override
    public List<NftablesEntry> foundation(NodeFacts node) {
        return Arrays.stream(Family.values())
                .flatMap(family -> Foundation.of(family, node).stream())
                .toList();
    }

    @Override
    public Compiled<NftablesEntry> compile(List<Forwarding> rows, Detail detail) {
        return new Compiled<>(entries(rows), Notes.of(rows));
    }

    @Override
    public Tracer tracer(Program<NftablesEntry> program, NodeFacts node) {
        return new NftablesTracer(program, node.addresses());
    }

    static List<NftablesEntry> entries(List<Forwarding> rows) {
        List<NftablesEntry> entries = new ArrayList<>();
        rows.forEach(row -> new RowEntries(row, entries).add());
        return entries;
    }

    /// Entries of every kind that this compiler makes: what a kernel must be able to hold.
    List<NftablesEntry> sample(NodeFacts node) {
        List<NftablesEntry> entries = new ArrayList<>(foundation(node));
        for (String address : List.of("192.0.2.1", "2001:db8::1")) { // addresses for examples: RFC 5737, RFC 3849
            Ip ip = Ip.parse(address);
            ServicePortName name = new ServicePortName(new NamespacedName("sample", "sample"), "", Protocol.TCP);
            Verdict verdict = new Verdict.SendTo(List.of(new Target(new IpPort(ip, 80), true)));
            Frontend balanced = new Frontend.LoadBalancerAddress(ip, Protocol.TCP, 80);
            Frontend nodePort = new Frontend.NodePort(ip.family(), Protocol.TCP, 80);
            Sources sources = new Sources(List.of(new Cidr(ip, ip.family().bits())));
            entries.addAll(entries(List.of(
                    Forwarding.of(balanced, name, verdict, Masquerade.FROM_NODE)
                            .withInside(new Verdict.Reject())
                            .withSources(sources),
                    Forwarding.of(nodePort, name, verdict, Masquerade.ALWAYS)
                            .withAffinity(new Affinity.ClientIp(Duration.ofHours(3))))));
        }
        return entries;
    }
}
