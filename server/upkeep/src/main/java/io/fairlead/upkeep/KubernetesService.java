package io.fairlead.upkeep;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the Service `default/kubernetes`: it is there, and its endpoints are the API servers that live (K33).
public final class KubernetesService {
    private static final NamespacedName NAME = new NamespacedName("default", "kubernetes");
    private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    private static final String MANAGER = "apiserver.fairlead.io";
    private static final String PORT_NAME = "https";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final WatchCache cache;
    private final ObjectWrites writes;
    private final ServerLeases servers;
    private final Cidr addresses;
    private final int port;

    /// Its address is the first of `addresses`; `port` is where the servers listen, 0 where that is not known.
    public KubernetesService(WatchCache cache, ObjectWrites writes, ServerLeases servers, Cidr addresses, int port) {
        this.cache = cache;
        this.writes = writes;
        this.servers = servers;
        this.addresses = addresses;
        this.port = port;
    }

    /// Looks once a second, until interrupted: a few look-ups in the cache, and a write where something is amiss.
    public void run() throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK_AGAIN);
            keep();
        }
    }

    void keep() throws InterruptedException {
        writes.createIfAbsent(Kind.SERVICE, NAME, service());
        List<IpPort> living = servers.addresses();
        if (living.isEmpty()) {
            return; // a server that no pod can reach
        }
        List<IpPort> old = of(Family.IPV4, living);
        if (!old.isEmpty()) {
            write(Kind.ENDPOINTS, NAME, endpoints(old)); // for those who do not read slices
        }
        SortedMap<String, ObjectNode> slices = slices(living);
        for (Map.Entry<String, ObjectNode> slice : slices.entrySet()) {
            write(Kind.ENDPOINT_SLICE, new NamespacedName(NAME.namespace(), slice.getKey()), slice.getValue());
        }
        removeOthers(slices);
    }

    private ObjectNode service() {
        ObjectNode service = Json.object();
        labels(service).put("component", "apiserver").put("provider", "kubernetes");
        String first = addresses.at(1).toString();
        ObjectNode https = service.putObject("spec")
                .put("clusterIP", first)
                .putArray("ports")
                .addObject()
                .put("name", PORT_NAME)
                .put("port", 443);
        if (port != 0) {
            https.put("targetPort", port);
        }
        return service;
    }

    private void write(Kind kind, NamespacedName name, ObjectNode wanted) throws InterruptedException {
        if (!writes.createIfAbsent(kind, name, wanted.deepCopy())) {
            writes.update(kind, name, UpdatePart.SPEC, old -> renewed(old, wanted), Author.SERVER);
        }
    }

    private static ObjectNode renewed(ApiObject old, ObjectNode wanted) {
        ObjectNode next = old.copy();
        next.setAll(wanted.deepCopy().without("metadata"));
        Tree.object(Tree.object(next, "metadata"), "labels")
                .setAll((ObjectNode) Json.at(wanted, "metadata", "labels").deepCopy());
        return next;
    }

    /// Slices of ours that a server had that is gone.
    private void removeOthers(SortedMap<String, ObjectNode> wanted) throws InterruptedException {
        for (ApiObject slice :
                cache.of(Kind.ENDPOINT_SLICE).list(NAME.namespace()).items()) {
            Map<String, String> labels = slice.labels();
            boolean ours = NAME.name().equals(labels.get(EndpointSlice.SERVICE_NAME))
                    && MANAGER.equals(labels.get(MANAGED_BY));
            if (ours && !wanted.containsKey(slice.key().name())) {
                writes.remove(slice);
            }
        }
    }

    /// Not to be mirrored: the slices are written here too.
    private static ObjectNode endpoints(List<IpPort> addresses) {
        ObjectNode endpoints = Json.object();
        labels(endpoints).put("endpointslice.kubernetes.io/skip-mirror", "true");
        ArrayNode subsets = endpoints.putArray("subsets");
        byPort(addresses).forEach((port, some) -> {
            ObjectNode subset = subsets.addObject();
            ArrayNode list = subset.putArray("addresses");
            some.forEach(address -> list.addObject().put("ip", address.ip().toString()));
            addPort(subset, port);
        });
        return endpoints;
    }

    /// One for each family and port; that of the first port has the short name.
    private static SortedMap<String, ObjectNode> slices(List<IpPort> addresses) {
        SortedMap<String, ObjectNode> slices = new TreeMap<>();
        for (Family family : Family.values()) {
            String base = family == Family.IPV4 ? NAME.name() : NAME.name() + "-ipv6";
            SortedMap<Integer, List<IpPort>> ports = byPort(of(family, addresses));
            ports.forEach((port, some) ->
                    slices.put(port.equals(ports.firstKey()) ? base : base + "-" + port, slice(family, some)));
        }
        return slices;
    }

    private static ObjectNode slice(Family family, List<IpPort> addresses) {
        ObjectNode slice = Json.object().put("addressType", family.toString());
        labels(slice).put(EndpointSlice.SERVICE_NAME, NAME.name()).put(MANAGED_BY, MANAGER);
        addPort(slice, addresses.getFirst().port());
        ArrayNode endpoints = slice.putArray("endpoints");
        for (IpPort address : addresses) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(address.ip().toString());
            endpoint.putObject("conditions").put("ready", true);
        }
        return slice;
    }

    private static void addPort(ObjectNode object, int port) {
        object.putArray("ports")
                .addObject()
                .put("name", PORT_NAME)
                .put("port", port)
                .put("protocol", "TCP");
    }

    private static List<IpPort> of(Family family, List<IpPort> addresses) {
        return addresses.stream()
                .filter(address -> address.ip().family() == family)
                .toList();
    }

    private static SortedMap<Integer, List<IpPort>> byPort(List<IpPort> addresses) {
        return addresses.stream().collect(Collectors.groupingBy(IpPort::port, TreeMap::new, Collectors.toList()));
    }

    private static ObjectNode labels(ObjectNode object) {
        return object.putObject("metadata").putObject("labels");
    }
}
