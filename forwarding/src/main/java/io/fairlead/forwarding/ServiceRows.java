package io.fairlead.forwarding;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.List;

/// The rows that one Service gives on one node.
final class ServiceRows {
    /// Whoever sets this label leads the Service's connections in our place, whatever its value.
    private static final String OTHER_PROXY = "service.kubernetes.io/service-proxy-name";

    private ServiceRows() {}

    static List<Forwarding> of(Service service, List<EndpointSlice> slices, NodeFacts node) {
        if (!isOurs(service)) {
            return List.of();
        }
        List<Forwarding> rows = new ArrayList<>();
        for (Service.Port port : service.ports()) {
            ServicePortName name = new ServicePortName(service.key(), port.name(), port.protocol());
            for (Ip ip : service.clusterIps()) {
                Verdict verdict = verdict(port, ip.family(), slices, node);
                Frontend clusterIp = new Frontend.VirtualAddress(ip, port.protocol(), port.port());
                rows.add(Forwarding.of(clusterIp, name, verdict, Masquerade.OFF_CLUSTER));
                if (port.nodePort() != 0) {
                    Frontend nodePort = new Frontend.NodePort(ip.family(), port.protocol(), port.nodePort());
                    rows.add(Forwarding.of(nodePort, name, verdict, Masquerade.ALWAYS));
                }
            }
        }
        return List.copyOf(rows);
    }

    private static boolean isOurs(Service service) {
        return !service.headless()
                && service.type() != Service.Type.EXTERNAL_NAME
                && !service.metadata().labels().containsKey(OTHER_PROXY);
    }

    private static Verdict verdict(Service.Port port, Family family, List<EndpointSlice> slices, NodeFacts node) {
        List<Target> targets = Targets.anywhere(Targets.candidates(port, family, slices, node));
        return targets.isEmpty() ? new Verdict.Reject() : new Verdict.SendTo(targets);
    }
}
