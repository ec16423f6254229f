package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// What a table and a foundation depend on besides the Services: the node we stand on, and how it was set up.
///
/// @param zone the zone the node is in, or empty
/// @param masqueradeAll whether connections to a ClusterIP get the node's address as source whichever client makes them
/// @param localhostNodePorts whether node ports answer at 127.0.0.1 too; only iptables can do that, and IPv4
/// @param addresses the addresses by which the cluster knows the node
/// @param serviceNetworks where ClusterIPs come from: an address in there that no Service has is dropped
/// @param scheduler how connections are spread where a Service does not say; what the mode is used to, if neither does
/// @param masqueradeBit which bit of the packet mark says that a connection gets the node's address
/// @param answered Services that a server of this node answers before the proxy: their rows are for when it is away
public record NodeFacts(
        String name,
        String zone,
        LocalPods pods,
        boolean masqueradeAll,
        NodePortAddresses nodePortAddresses,
        boolean localhostNodePorts,
        List<Ip> addresses,
        List<Cidr> serviceNetworks,
        Scheduler scheduler,
        int masqueradeBit,
        Set<NamespacedName> answered) {

    /// The bit that kube-proxy takes.
    public static final int DEFAULT_MASQUERADE_BIT = 14;

    public NodeFacts {
        addresses = List.copyOf(addresses);
        serviceNetworks = List.copyOf(serviceNetworks);
        answered = Set.copyOf(answered);
        if (masqueradeBit < 0 || masqueradeBit > 31) {
            throw new IllegalArgumentException("the packet mark has no bit " + masqueradeBit);
        }
    }

    /// A node of which only its name and the networks of the pods are known.
    public static NodeFacts of(String name, List<Cidr> podNetworks) {
        return new NodeFacts(
                name,
                "",
                LocalPods.within(podNetworks),
                false,
                new NodePortAddresses.All(),
                false,
                List.of(),
                List.of(),
                Scheduler.NODE_DEFAULT,
                DEFAULT_MASQUERADE_BIT,
                Set.of());
    }

    /// What the mark of a connection to be masqueraded has set.
    public int masqueradeMark() {
        return 1 << masqueradeBit;
    }

    /// The addresses of the node, where they are its own, that answer at node ports.
    public List<Cidr> nodePortNetworks(Family family) {
        return nodePortAddresses.networks(family, addresses);
    }

    public NodeFacts withZone(String zone) {
        return with(draft -> draft.zone = zone);
    }

    public NodeFacts withPods(LocalPods pods) {
        return with(draft -> draft.pods = pods);
    }

    public NodeFacts withMasqueradeAll(boolean masqueradeAll) {
        return with(draft -> draft.masqueradeAll = masqueradeAll);
    }

    public NodeFacts withNodePortAddresses(NodePortAddresses nodePortAddresses) {
        return with(draft -> draft.nodePortAddresses = nodePortAddresses);
    }

    public NodeFacts withLocalhostNodePorts(boolean localhostNodePorts) {
        return with(draft -> draft.localhostNodePorts = localhostNodePorts);
    }

    public NodeFacts withAddresses(List<Ip> addresses) {
        return with(draft -> draft.addresses = addresses);
    }

    public NodeFacts withServiceNetworks(List<Cidr> serviceNetworks) {
        return with(draft -> draft.serviceNetworks = serviceNetworks);
    }

    public NodeFacts withScheduler(Scheduler scheduler) {
        return with(draft -> draft.scheduler = scheduler);
    }

    public NodeFacts withMasqueradeBit(int masqueradeBit) {
        return with(draft -> draft.masqueradeBit = masqueradeBit);
    }

    public NodeFacts withAnswered(Set<NamespacedName> answered) {
        return with(draft -> draft.answered = answered);
    }

    private NodeFacts with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new NodeFacts(
                name,
                draft.zone,
                draft.pods,
                draft.masqueradeAll,
                draft.nodePortAddresses,
                draft.localhostNodePorts,
                draft.addresses,
                draft.serviceNetworks,
                draft.scheduler,
                draft.masqueradeBit,
                draft.answered);
    }

    /// A copy in which one thing is about to differ.
    private static final class Draft {
        private String zone;
        private LocalPods pods;
        private boolean masqueradeAll;
        private NodePortAddresses nodePortAddresses;
        private boolean localhostNodePorts;
        private List<Ip> addresses;
        private List<Cidr> serviceNetworks;
        private Scheduler scheduler;
        private int masqueradeBit;
        private Set<NamespacedName> answered;

        private Draft(NodeFacts facts) {
            zone = facts.zone;
            pods = facts.pods;
            masqueradeAll = facts.masqueradeAll;
            nodePortAddresses = facts.nodePortAddresses;
            localhostNodePorts = facts.localhostNodePorts;
            addresses = facts.addresses;
            serviceNetworks = facts.serviceNetworks;
            scheduler = facts.scheduler;
            masqueradeBit = facts.masqueradeBit;
            answered = facts.answered;
        }
    }
}
