package io.fairlead.zone;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// All names of one Service: those below the domain of the cluster, and those of its addresses.
record ServiceNames(Map<Name, NameRecords> names, Map<Name, Pointer> pointers) {
    static final ServiceNames NONE = new ServiceNames(Map.of(), Map.of());

    /// Whose an address is. That of a Service hides those of endpoints, of which several Services may have one.
    record Pointer(boolean ofService, List<Name> targets) {
        Pointer {
            targets = List.copyOf(targets);
        }
    }

    ServiceNames {
        names = Map.copyOf(names);
        pointers = Map.copyOf(pointers);
    }

    static ServiceNames of(Service service, List<EndpointSlice> slices, ZoneSettings settings) {
        Optional<Name> name = settings.origin()
                .child("svc")
                .findChild(service.key().namespace())
                .flatMap(namespace -> namespace.findChild(service.key().name()));
        return name.map(found -> new Writing(service, found, settings).of(slices))
                .orElse(NONE);
    }

    /// The names while they are collected.
    private static final class Writing {
        private final Service service;
        private final Name name;
        private final ZoneSettings settings;
        private final Map<Name, List<ResourceRecord>> records = new HashMap<>();
        private final Map<Name, Set<ResourceRecord>> extras = new HashMap<>();
        private final Map<Name, Pointer> pointers = new HashMap<>();

        Writing(Service service, Name name, ZoneSettings settings) {
            this.service = service;
            this.name = name;
            this.settings = settings;
        }

        ServiceNames of(List<EndpointSlice> slices) {
            if (service.type() == Service.Type.EXTERNAL_NAME) {
                external();
                return done();
            }
            List<Ready> endpoints = ready(slices);
            if (service.headless()) {
                headless(endpoints);
            } else if (settings.emptyServices() || !endpoints.isEmpty()) {
                virtual(endpoints);
            }
            return done();
        }

        /// One address of an endpoint that may be sent to, under the name it has, with the ports of its slice.
        private record Ready(Name name, Ip address, String zone, boolean hostname, List<EndpointSlice.Port> ports) {}

        private List<Ready> ready(List<EndpointSlice> slices) {
            List<Ready> all = new ArrayList<>();
            for (EndpointSlice slice : slices) {
                for (EndpointSlice.Endpoint endpoint : slice.endpoints()) {
                    if (endpoint.ready() || service.publishNotReadyAddresses()) {
                        endpoint.addresses()
                                .forEach(ip -> name.findChild(label(endpoint, ip))
                                        .ifPresent(at -> all.add(new Ready(
                                                at,
                                                ip,
                                                endpoint.zone(),
                                                !endpoint.hostname().isEmpty(),
                                                slice.ports()))));
                    }
                }
            }
            return all;
        }

        private String label(EndpointSlice.Endpoint endpoint, Ip ip) {
            if (!endpoint.hostname().isEmpty()) {
                return endpoint.hostname();
            }
            return settings.podNames() && !endpoint.podName().isEmpty() ? endpoint.podName() : AddressNames.dashed(ip);
        }

        private void external() {
            String text = service.externalName();
            Optional<Ip> address = Ip.find(text);
            if (address.isPresent()) {
                add(ResourceRecord.of(name, settings.ttl(), address.get()));
            } else {
                Name.find(text)
                        .ifPresent(target -> add(ResourceRecord.of(name, RecordType.CNAME, settings.ttl(), target)));
            }
        }

        /// A Service with an address of its own. Its endpoints answer to their names too, where asked for.
        private void virtual(List<Ready> endpoints) {
            if (service.clusterIps().isEmpty()) {
                return;
            }
            List<ResourceRecord> addresses = service.clusterIps().stream()
                    .map(ip -> ResourceRecord.of(name, settings.ttl(), ip))
                    .toList();
            addresses.forEach(this::add);
            service.clusterIps().forEach(ip -> point(ip, name, true));
            for (Service.Port port : service.ports()) {
                SrvTarget target = new SrvTarget(port.port(), name, addresses);
                srv(name, target);
                portName(port.name(), port.protocol().toString()).ifPresent(at -> srv(at, target));
            }
            for (Ready endpoint : endpoints) {
                add(ResourceRecord.of(endpoint.name, settings.ttl(), endpoint.address));
                if (endpoint.hostname) {
                    point(endpoint.address, endpoint.name, false);
                }
            }
        }

        private void headless(List<Ready> endpoints) {
            for (Ready endpoint : endpoints) {
                ResourceRecord own = ResourceRecord.of(endpoint.name, settings.ttl(), endpoint.address);
                add(own.withOwner(name));
                add(own);
                point(endpoint.address, endpoint.name, false);
                for (EndpointSlice.Port port : endpoint.ports) {
                    if (port.port() != 0) {
                        SrvTarget target = new SrvTarget(port.port(), endpoint.name, List.of(own));
                        srv(name, target);
                        portName(port.name(), port.protocol().toString()).ifPresent(at -> srv(at, target));
                    }
                }
            }
            if (settings.zoneScoped() && !endpoints.isEmpty()) {
                scoped(endpoints);
            }
        }

        /// The endpoints of one zone alone, and those of one zone rather than others.
        private void scoped(List<Ready> endpoints) {
            Name scope = name.child("_zone");
            records.put(scope, List.of());
            Set<String> zones = new TreeSet<>();
            endpoints.stream().map(Ready::zone).filter(zone -> !zone.isEmpty()).forEach(zones::add);
            for (String way : List.of("pin", "prefer")) {
                Name parent = scope.child(way);
                records.put(parent, List.of());
                for (String zone : zones) {
                    parent.findChild(zone)
                            .ifPresent(at -> endpoints.stream()
                                    .filter(endpoint -> endpoint.zone.equals(zone))
                                    .forEach(endpoint -> add(ResourceRecord.of(at, settings.ttl(), endpoint.address))));
                }
            }
        }

        /// Where a SRV record leads, and the addresses there.
        private record SrvTarget(int port, Name name, List<ResourceRecord> addresses) {}

        // The weight is known when all are: see weighted.
        private void srv(Name owner, SrvTarget target) {
            add(ResourceRecord.srv(owner, settings.ttl(), 0, target.port, target.name));
            extras.computeIfAbsent(owner, _ -> new LinkedHashSet<>()).addAll(target.addresses);
        }

        private Optional<Name> portName(String port, String protocol) {
            if (port.isEmpty()) {
                return Optional.empty();
            }
            Name parent = name.child("_" + protocol.toLowerCase(Locale.ROOT));
            records.computeIfAbsent(parent, _ -> new ArrayList<>());
            return parent.findChild("_" + port);
        }

        private void add(ResourceRecord record) {
            records.computeIfAbsent(record.owner(), _ -> new ArrayList<>()).add(record);
        }

        private void point(Ip address, Name target, boolean ofService) {
            Pointer one = new Pointer(ofService, List.of(target));
            pointers.merge(AddressNames.reverse(address), one, (known, _) -> {
                Set<Name> all = new TreeSet<>(known.targets);
                all.add(target);
                return new Pointer(ofService || known.ofService, List.copyOf(all));
            });
        }

        private ServiceNames done() {
            Map<Name, NameRecords> names = new HashMap<>();
            records.forEach((owner, list) -> names.put(
                    owner, NameRecords.of(weighted(list), List.copyOf(extras.getOrDefault(owner, Set.of())))));
            return new ServiceNames(names, pointers);
        }

        /// A hundred among those of equal priority, at least one each: as CoreDNS shares it out.
        private static List<ResourceRecord> weighted(List<ResourceRecord> list) {
            long count = list.stream().filter(Writing::isSrv).distinct().count();
            if (count == 0) {
                return list;
            }
            int weight = (int) Math.max(1, 100 / count);
            return list.stream()
                    .map(record -> isSrv(record) ? withWeight(record, weight) : record)
                    .toList();
        }

        private static boolean isSrv(ResourceRecord record) {
            return record.type() == RecordType.SRV;
        }

        private static ResourceRecord withWeight(ResourceRecord record, int weight) {
            byte[] content = record.content().clone();
            Wire.putShort(content, 2, weight);
            return new ResourceRecord(record.owner(), RecordType.SRV, record.ttl(), content);
        }
    }
}
