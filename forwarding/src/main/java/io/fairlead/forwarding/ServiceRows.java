package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The rows that one Service gives on one node.
final class ServiceRows {
    private ServiceRows() {}

    static List<Forwarding> of(Service service, List<EndpointSlice> slices, NodeFacts node) {
        List<Forwarding> rows = new ArrayList<>();
        if (service.headless() || service.type() == Service.Type.EXTERNAL_NAME) {
            return rows;
        }
        for (Service.Port port : service.ports()) {
            ServicePortName name = new ServicePortName(service.key(), port.name(), port.protocol());
            for (Ip ip : service.clusterIps()) {
                Verdict verdict = verdict(port, slices, ip.family(), node);
                rows.add(new Forwarding(
                        new Frontend.VirtualAddress(ip, port.protocol(), port.port()),
                        name,
                        verdict,
                        Masquerade.OFF_CLUSTER));
                if (port.nodePort() != 0) {
                    rows.add(new Forwarding(
                            new Frontend.NodePort(ip.family(), port.protocol(), port.nodePort()),
                            name,
                            verdict,
                            Masquerade.ALWAYS));
                }
            }
        }
        return List.copyOf(rows);
    }

    private static Verdict verdict(Service.Port port, List<EndpointSlice> slices, Family family, NodeFacts node) {
        // The same address may stand in several slices; it is one target.
        Map<IpPort, Target> targets = new TreeMap<>();
        slices.stream()
                .filter(slice -> slice.addressType().equals(family.toString()))
                .flatMap(slice -> targets(port, slice, node))
                .forEach(target -> targets.put(target.address(), target));
        return targets.isEmpty() ? new Verdict.Reject() : new Verdict.SendTo(List.copyOf(targets.values()));
    }

    private static Stream<Target> targets(Service.Port port, EndpointSlice slice, NodeFacts node) {
        return slice.ports().stream()
                .filter(p -> p.name().equals(port.name()) && p.protocol() == port.protocol() && p.port() != 0)
                .flatMap(p -> slice.endpoints().stream()
                        .filter(e -> e.ready() && !e.addresses().isEmpty())
                        .map(e -> new Target(
                                new IpPort(e.addresses().getFirst(), p.port()),
                                e.nodeName().equals(node.name()))));
    }
}
