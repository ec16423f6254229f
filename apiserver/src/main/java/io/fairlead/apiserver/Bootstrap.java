package io.fairlead.apiserver;

import io.fairlead.access.DefaultPolicy;
import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes what every cluster has: the built-in namespaces, the roles, and the Service `default/kubernetes` (K33).
final class Bootstrap {
    private static final NamespacedName KUBERNETES = new NamespacedName("default", "kubernetes");

    private final ObjectWrites writes;
    private final ApiServerConfig config;

    Bootstrap(ObjectWrites writes, ApiServerConfig config) {
        this.writes = writes;
        this.config = config;
    }

    void run() throws InterruptedException {
        for (String name : NamespaceRules.BUILT_IN) {
            createIfAbsent(Kind.NAMESPACE, new NamespacedName("", name), Json.object());
        }
        createIfAbsent(Kind.SERVICE_CIDR, new NamespacedName("", ServiceCidrs.DEFAULT), serviceCidr());
        for (JsonNode object : DefaultPolicy.objects()) {
            Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                    .orElseThrow();
            createIfAbsent(kind, ObjectMeta.of(object).key(), (ObjectNode) object);
        }
        createIfAbsent(Kind.SERVICE, KUBERNETES, service());
        for (Family family : Family.values()) {
            List<IpPort> addresses = config.advertised().stream()
                    .filter(address -> address.ip().family() == family)
                    .toList();
            if (!addresses.isEmpty()) {
                writeSlice(family, addresses);
            }
        }
    }

    private ObjectNode serviceCidr() {
        ObjectNode serviceCidr = Json.object();
        ArrayNode cidrs = serviceCidr.putObject("spec").putArray("cidrs");
        config.serviceCidrs().forEach(cidr -> cidrs.add(cidr.toString()));
        return serviceCidr;
    }

    private ObjectNode service() {
        Cidr cidr = config.serviceCidrs().getFirst();
        int port = config.advertised().isEmpty()
                ? config.bind().port()
                : config.advertised().getFirst().port();
        ObjectNode service = Json.object();
        labels(service).put("component", "apiserver").put("provider", "kubernetes");
        ObjectNode spec = service.putObject("spec").put("clusterIP", cidr.at(1).toString());
        ObjectNode https =
                spec.putArray("ports").addObject().put("name", "https").put("port", 443);
        if (port != 0) {
            https.put("targetPort", port);
        }
        return service;
    }

    /// The addresses may be others than at the last start, so the slice is written anew.
    private void writeSlice(Family family, List<IpPort> addresses) throws InterruptedException {
        NamespacedName name = new NamespacedName(
                KUBERNETES.namespace(), family == Family.IPV4 ? KUBERNETES.name() : KUBERNETES.name() + "-ipv6");
        if (name.equals(KUBERNETES)) {
            write(Kind.ENDPOINTS, name, endpoints(addresses)); // for those who do not read slices
        }
        write(Kind.ENDPOINT_SLICE, name, slice(family, addresses));
    }

    private void write(Kind kind, NamespacedName name, ObjectNode object) throws InterruptedException {
        if (!createIfAbsent(kind, name, object.deepCopy())) {
            writes.update(
                    kind,
                    name,
                    UpdatePart.SPEC,
                    old -> old.copy().setAll(object.deepCopy().without("metadata")),
                    Author.SERVER);
        }
    }

    /// Not to be mirrored: the slice is written here too.
    private static ObjectNode endpoints(List<IpPort> addresses) {
        ObjectNode endpoints = Json.object();
        labels(endpoints).put("endpointslice.kubernetes.io/skip-mirror", "true");
        ObjectNode subset = endpoints.putArray("subsets").addObject();
        ArrayNode list = subset.putArray("addresses");
        addresses.forEach(address -> list.addObject().put("ip", address.ip().toString()));
        subset.putArray("ports")
                .addObject()
                .put("name", "https")
                .put("port", addresses.getFirst().port())
                .put("protocol", "TCP");
        return endpoints;
    }

    private static ObjectNode slice(Family family, List<IpPort> addresses) {
        ObjectNode slice = Json.object().put("addressType", family.toString());
        labels(slice).put(EndpointSlice.SERVICE_NAME, KUBERNETES.name());
        slice.putArray("ports")
                .addObject()
                .put("name", "https")
                .put("port", addresses.getFirst().port())
                .put("protocol", "TCP");
        ArrayNode endpoints = slice.putArray("endpoints");
        for (IpPort address : addresses) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(address.ip().toString());
            endpoint.putObject("conditions").put("ready", true);
        }
        return slice;
    }

    private static ObjectNode labels(ObjectNode object) {
        return object.putObject("metadata").putObject("labels");
    }

    /// True if the object was not there.
    private boolean createIfAbsent(Kind kind, NamespacedName name, ObjectNode object) throws InterruptedException {
        if (writes.exists(kind, name)) {
            return false;
        }
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        ObjectNode metadata = Tree.object(object, "metadata").put("name", name.name());
        if (kind.namespaced()) {
            metadata.put("namespace", name.namespace());
        }
        writes.create(kind, object, Author.SERVER);
        return true;
    }
}
