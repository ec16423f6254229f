package io.fairlead.endpoints;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Service;
import io.fairlead.api.ServiceCidr;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the Service `kube-system/kube-dns`: it is there, and its endpoints are the nodes that run a server of names.
///
/// A pod is led to its own node's, and to another's where that one is not ready. A kube-dns that selects pods is
/// another's work, and left alone.
public final class ClusterDns implements Controller {
    /// The label of a node that runs a server of names.
    public static final String SERVES = "fairlead.io/dns";

    /// The Service of the cluster's DNS.
    public static final NamespacedName NAME = new NamespacedName("kube-system", "kube-dns");
    private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    private static final String MANAGER = "dns.fairlead.io";

    /// Which address of the Service network is the cluster's DNS, by custom.
    private static final int NUMBER = 10;

    private static final int PORT = 53;

    @Override
    public String name() {
        return "cluster-dns";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        boolean slices = Lookup.changed(Kind.ENDPOINT_SLICE, before, now).stream()
                .anyMatch(name -> name.namespace().equals(NAME.namespace()));
        boolean any = slices
                || !Lookup.changed(Kind.NODE, before, now).isEmpty()
                || !Lookup.changed(Kind.SERVICE_CIDR, before, now).isEmpty()
                || Lookup.changed(Kind.SERVICE, before, now).contains(NAME);
        return any ? Set.of(NAME) : Set.of();
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        Optional<Service> service = now.services().find(NAME);
        if (service.isEmpty()) {
            return network(now).stream()
                    .map(network -> (Write) new Write.Create(Kind.SERVICE, service(network)))
                    .toList();
        }
        if (!service.get().selector().isEmpty() || service.get().metadata().isTerminating()) {
            return List.of();
        }
        List<Write> writes = new ArrayList<>();
        for (Family family : Family.values()) {
            boolean wanted = service.get().clusterIps().stream().anyMatch(ip -> ip.family() == family);
            slice(family, wanted ? servers(now) : List.of(), now).ifPresent(writes::add);
        }
        return writes;
    }

    private static Optional<Cidr> network(Snapshot now) {
        return now.serviceCidrs()
                .values()
                .sorted(Comparator.comparing(ServiceCidr::key))
                .flatMap(block -> block.cidrs().stream())
                .filter(block -> block.size() > NUMBER)
                .findFirst();
    }

    private static List<Node> servers(Snapshot now) {
        return now.nodes()
                .values()
                .filter(node -> "true".equals(node.metadata().labels().get(SERVES)))
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    private static ObjectNode service(Cidr network) {
        ObjectNode service = Json.object();
        ObjectNode metadata =
                service.putObject("metadata").put("namespace", NAME.namespace()).put("name", NAME.name());
        metadata.putObject("labels").put("k8s-app", "kube-dns").put("kubernetes.io/name", "CoreDNS");
        ObjectNode spec = service.putObject("spec")
                .put("clusterIP", network.at(NUMBER).toString())
                .put("trafficDistribution", "PreferSameNode");
        ports(spec.putArray("ports"));
        return service;
    }

    private static void ports(ArrayNode ports) {
        ports.addObject().put("name", "dns").put("protocol", "UDP").put("port", PORT);
        ports.addObject().put("name", "dns-tcp").put("protocol", "TCP").put("port", PORT);
    }

    private static Optional<Write> slice(Family family, List<Node> servers, Snapshot now) {
        NamespacedName name = new NamespacedName(
                NAME.namespace(), "kube-dns-nodes-" + family.toString().toLowerCase(Locale.ROOT));
        ObjectNode wanted = tree(name, family, servers);
        Optional<EndpointSlice> existing = now.endpointSlices().find(name);
        if (existing.isEmpty()) {
            return Json.at(wanted, "endpoints").isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Write.Create(Kind.ENDPOINT_SLICE, wanted));
        }
        EndpointSlice seen = existing.get();
        if (EndpointSlice.of(wanted).endpoints().equals(seen.endpoints())) {
            return Optional.empty();
        }
        ((ObjectNode) Json.at(wanted, "metadata"))
                .put("resourceVersion", seen.metadata().revision().toString());
        return Optional.of(new Write.Update(Kind.ENDPOINT_SLICE, wanted));
    }

    private static ObjectNode tree(NamespacedName name, Family family, List<Node> servers) {
        ObjectNode slice = Json.object();
        slice.putObject("metadata")
                .put("namespace", name.namespace())
                .put("name", name.name())
                .putObject("labels")
                .put(EndpointSlice.SERVICE_NAME, NAME.name())
                .put(MANAGED_BY, MANAGER);
        slice.put("addressType", family.toString());
        ports(slice.putArray("ports"));
        ArrayNode endpoints = slice.putArray("endpoints");
        for (Node node : servers) {
            node.internalIps().stream()
                    .filter(ip -> ip.family() == family)
                    .findFirst()
                    .ifPresent(ip -> endpoint(endpoints.addObject(), node, ip));
        }
        return slice;
    }

    private static void endpoint(ObjectNode endpoint, Node node, Ip ip) {
        endpoint.putArray("addresses").add(ip.toString());
        endpoint.putObject("conditions")
                .put("ready", node.ready())
                .put("serving", node.ready())
                .put("terminating", false);
        endpoint.put("nodeName", node.name());
        endpoint.putObject("hints").putArray("forNodes").addObject().put("name", node.name());
    }
}
