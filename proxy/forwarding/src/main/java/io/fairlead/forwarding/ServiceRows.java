package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies.TrafficPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The rows that one Service gives on one node.
final class ServiceRows {
    /// The annotation of a Service that chooses how its connections are spread: a name of [Scheduler].
    private static final String SCHEDULER = "fairlead.io/scheduler";

    /// The annotation that says for how many seconds connections to a removed endpoint may go on, where the mode ends
    /// them: `30`.
    private static final String DRAIN = "fairlead.io/drain-seconds";

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");

    private final Service service;
    private final NodeFacts node;
    private final Balance balance;

    private ServiceRows(Service service, NodeFacts node) {
        this.service = service;
        this.node = node;
        Duration timeout = service.policies().affinity();
        this.balance = new Balance(
                timeout.isZero() ? new Affinity.None() : new Affinity.ClientIp(timeout),
                scheduler(service),
                drain(service));
    }

    /// What is no number of seconds counts as not written.
    private static Optional<Duration> drain(Service service) {
        String seconds = service.metadata().annotations().getOrDefault(DRAIN, "");
        return !seconds.isEmpty() && SECONDS.matcher(seconds).matches()
                ? Optional.of(Duration.ofSeconds(Integer.parseInt(seconds)))
                : Optional.empty();
    }

    /// What the annotation names; a name that no scheduler has counts as none.
    private static Scheduler scheduler(Service service) {
        String name = service.metadata().annotations().getOrDefault(SCHEDULER, "");
        return name.isEmpty() ? Scheduler.NODE_DEFAULT : Scheduler.find(name).orElse(Scheduler.NODE_DEFAULT);
    }

    static List<Forwarding> of(Service service, List<EndpointSlice> slices, NodeFacts node) {
        return isOurs(service) ? new ServiceRows(service, node).rows(slices) : List.of();
    }

    /// A Service with the label of another proxy is not ours: that proxy leads its connections, whatever the label's
    /// value.
    static boolean isOurs(Service service) {
        return !service.headless()
                && service.type() != Service.Type.EXTERNAL_NAME
                && !service.metadata().labels().containsKey(Service.PROXY_NAME);
    }

    private List<Forwarding> rows(List<EndpointSlice> slices) {
        List<Forwarding> rows = new ArrayList<>();
        boolean answered = node.answered().contains(service.key());
        for (Service.Port port : service.ports()) {
            for (Ip clusterIp : service.clusterIps()) {
                Targets targets = answered
                        ? Targets.elsewhere(port, clusterIp.family(), slices, node)
                        : Targets.of(port, clusterIp.family(), slices, node);
                rows.add(internal(port, clusterIp, targets));
                rows.addAll(external(port, clusterIp.family(), targets));
            }
        }
        return List.copyOf(rows);
    }

    private Forwarding internal(Service.Port port, Ip clusterIp, Targets targets) {
        Frontend frontend = new Frontend.VirtualAddress(clusterIp, port.protocol(), port.port());
        Verdict verdict = verdict(service.policies().internal(), targets);
        return Forwarding.of(frontend, name(port), verdict, internalMasquerade(clusterIp.family()))
                .with(balance)
                .with(new AddressTraits(
                        true, isInServiceNetwork(clusterIp), service.policies().internal() == TrafficPolicy.LOCAL));
    }

    private boolean isInServiceNetwork(Ip clusterIp) {
        boolean known = false;
        for (Cidr network : node.serviceNetworks()) {
            if (network.family() == clusterIp.family()) {
                known = true;
                if (network.contains(clusterIp)) {
                    return true;
                }
            }
        }
        return !known;
    }

    private Masquerade internalMasquerade(Family family) {
        if (node.masqueradeAll()) {
            return Masquerade.ALWAYS;
        }
        return node.pods().isKnown(family) ? Masquerade.OFF_CLUSTER : Masquerade.NEVER;
    }

    /// What comes from outside may be bound to this node; what begins here may go to any endpoint even so.
    private List<Forwarding> external(Service.Port port, Family family, Targets targets) {
        if (port.nodePort() == 0
                && service.externalIps().isEmpty()
                && service.loadBalancer().ingress().isEmpty()) {
            return List.of(); // as it is with most of a large cluster
        }
        TrafficPolicy policy = service.policies().external();
        Verdict outside = verdict(policy, targets);
        Verdict inside = verdict(TrafficPolicy.CLUSTER, targets);
        Masquerade masquerade = policy == TrafficPolicy.LOCAL ? Masquerade.FROM_NODE : Masquerade.ALWAYS;
        return frontends(port, family)
                .map(frontend -> Forwarding.of(frontend, name(port), outside, masquerade)
                        .withInside(inside)
                        .with(balance)
                        .withSources(sources(frontend))
                        .with(new AddressTraits(
                                frontend instanceof Frontend.LoadBalancerAddress && service.isOnNoMachine(),
                                false,
                                policy == TrafficPolicy.LOCAL)))
                .toList();
    }

    /// An address stands once: as the load balancer's, whose source ranges hold, before an external one.
    private Stream<Frontend> frontends(Service.Port port, Family family) {
        List<Ip> balanced = service.loadBalancer().vips();
        Stream<Frontend> nodePorts = port.nodePort() == 0
                ? Stream.of()
                : Stream.of(new Frontend.NodePort(family, port.protocol(), port.nodePort()));
        Stream<Frontend> external = addresses(service.externalIps(), family)
                .filter(ip -> !balanced.contains(ip))
                .map(ip -> new Frontend.ExternalAddress(ip, port.protocol(), port.port()));
        Stream<Frontend> loadBalancer = addresses(balanced, family)
                .map(ip -> new Frontend.LoadBalancerAddress(ip, port.protocol(), port.port()));
        return Stream.of(nodePorts, external, loadBalancer).flatMap(frontends -> frontends);
    }

    private Stream<Ip> addresses(List<Ip> ips, Family family) {
        return ips.stream()
                .filter(ip -> ip.family() == family && !service.clusterIps().contains(ip))
                .distinct()
                .sorted();
    }

    private static Verdict verdict(TrafficPolicy policy, Targets targets) {
        List<Target> wanted = policy == TrafficPolicy.LOCAL ? targets.onThisNode() : targets.anywhere();
        if (!wanted.isEmpty()) {
            return new Verdict.SendTo(wanted);
        }
        // Who asks another node may be served: silence makes the client or its balancer try again.
        return targets.anywhere().isEmpty() ? new Verdict.Reject() : new Verdict.Drop();
    }

    private Sources sources(Frontend frontend) {
        return frontend instanceof Frontend.LoadBalancerAddress(Ip vip, var _, var _) ? sources(vip) : Sources.ALL;
    }

    /// The ranges of the address's own family; one family without a range is open, as everything is for a `/0`.
    private Sources sources(Ip vip) {
        List<Cidr> ranges = service.loadBalancer().sourceRanges().stream()
                .filter(range -> range.family() == vip.family())
                .toList();
        if (ranges.stream().anyMatch(range -> range.prefix() == 0)) {
            return Sources.ALL;
        }
        // Where the address is bound to the node, the node's own packets to it have it as their source.
        boolean nodeAllowed =
                node.addresses().stream().anyMatch(ip -> ranges.stream().anyMatch(range -> range.contains(ip)));
        Stream<Cidr> itself = nodeAllowed ? Stream.of(new Cidr(vip, vip.family().bits())) : Stream.of();
        return new Sources(Stream.concat(ranges.stream(), itself).toList());
    }

    private ServicePortName name(Service.Port port) {
        return new ServicePortName(service.key(), port.name(), port.protocol());
    }
}
