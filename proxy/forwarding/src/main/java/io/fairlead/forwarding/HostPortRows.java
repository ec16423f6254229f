package io.fairlead.forwarding;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rows that a pod of this node gives: each `hostPort` of its containers leads to the pod itself.
///
/// | `hostIP` | where clients knock |
/// |---|---|
/// | none, `0.0.0.0` or `::` | the port of the node, as at a node port |
/// | an address of the node | that address alone |
/// | any other address | nowhere |
///
/// Clients keep their address, as with `externalTrafficPolicy: Local`.
final class HostPortRows {
    private static final List<String> EVERYWHERE = List.of("", "0.0.0.0", "::");

    private HostPortRows() {}

    /// The key of a pod's rows in the table. It holds a dot, which the name of a Service cannot.
    static NamespacedName key(NamespacedName pod) {
        return new NamespacedName(pod.namespace(), pod.name() + ".hostports");
    }

    static List<Forwarding> of(Pod pod, NodeFacts node) {
        List<Forwarding> rows = new ArrayList<>();
        if (isServed(pod, node)) {
            for (Pod.Container container : pod.spec().lastingContainers()) {
                for (Pod.ContainerPort port : container.ports()) {
                    if (port.hostPort() > 0) {
                        pod.status()
                                .podIps()
                                .forEach(ip -> row(pod, port, ip, node).ifPresent(rows::add));
                    }
                }
            }
        }
        return List.copyOf(rows);
    }

    private static boolean isServed(Pod pod, NodeFacts node) {
        return pod.spec().nodeName().equals(node.name())
                && !pod.spec().hostNetwork() // there the port is the node's already
                && !pod.status().isOver();
    }

    private static Optional<Forwarding> row(Pod pod, Pod.ContainerPort port, Ip podIp, NodeFacts node) {
        ServicePortName name = new ServicePortName(key(pod.key()), Integer.toString(port.hostPort()), port.protocol());
        Verdict verdict = new Verdict.SendTo(List.of(new Target(new IpPort(podIp, port.port()), true)));
        return frontend(port, podIp, node)
                .map(frontend -> Forwarding.of(frontend, name, verdict, Masquerade.FROM_NODE)
                        .with(new AddressTraits(false, false, true)));
    }

    private static Optional<Frontend> frontend(Pod.ContainerPort port, Ip podIp, NodeFacts node) {
        if (EVERYWHERE.contains(port.hostIp())) {
            return Optional.of(new Frontend.NodePort(podIp.family(), port.protocol(), port.hostPort()));
        }
        return Ip.find(port.hostIp())
                .filter(ip -> ip.family() == podIp.family() && node.addresses().contains(ip))
                .map(ip -> new Frontend.ExternalAddress(ip, port.protocol(), port.hostPort()));
    }
}
