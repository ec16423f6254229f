package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What the agent tells a container of the Services there are when it starts, as variables. Pure.
///
/// ```
/// HELLO_SERVICE_HOST=10.96.0.7   HELLO_SERVICE_PORT=80   HELLO_SERVICE_PORT_HTTP=80
/// HELLO_PORT=tcp://10.96.0.7:80  HELLO_PORT_80_TCP=tcp://10.96.0.7:80
/// HELLO_PORT_80_TCP_PROTO=tcp    HELLO_PORT_80_TCP_PORT=80    HELLO_PORT_80_TCP_ADDR=10.96.0.7
/// ```
///
/// Every pod gets the Service `default/kubernetes`; those of the pod's namespace unless it says
/// `enableServiceLinks: false`. A Service without an address of its own has no variables.
final class ServiceVariables {
    private static final NamespacedName API = new NamespacedName("default", "kubernetes");

    private ServiceVariables() {}

    static Map<String, String> of(Snapshot snapshot, Pod pod) {
        Map<String, String> variables = new LinkedHashMap<>();
        snapshot.services().find(API).ifPresent(service -> add(variables, service));
        if (pod.spec().surroundings().enableServiceLinks()) {
            snapshot.services()
                    .values()
                    .filter(service ->
                            service.key().namespace().equals(pod.key().namespace()))
                    .sorted(java.util.Comparator.comparing(Service::key))
                    .forEach(service -> add(variables, service));
        }
        return variables;
    }

    private static void add(Map<String, String> variables, Service service) {
        Optional<Ip> ip = service.clusterIps().stream().findFirst();
        if (ip.isEmpty() || service.ports().isEmpty() || service.type() == Service.Type.EXTERNAL_NAME) {
            return;
        }
        String name = word(service.key().name());
        Service.Port first = service.ports().getFirst();
        variables.put(name + "_SERVICE_HOST", ip.get().toString());
        variables.put(name + "_SERVICE_PORT", Integer.toString(first.port()));
        for (Service.Port port : service.ports()) {
            if (!port.name().isEmpty()) {
                variables.put(name + "_SERVICE_PORT_" + word(port.name()), Integer.toString(port.port()));
            }
        }
        variables.put(name + "_PORT", url(ip.get(), first));
        service.ports().forEach(port -> addLink(variables, name, ip.get(), port));
    }

    private static void addLink(Map<String, String> variables, String name, Ip ip, Service.Port port) {
        String link = "%s_PORT_%d_%s".formatted(name, port.port(), port.protocol());
        variables.put(link, url(ip, port));
        variables.put(link + "_PROTO", protocol(port));
        variables.put(link + "_PORT", Integer.toString(port.port()));
        variables.put(link + "_ADDR", ip.toString());
    }

    private static String url(Ip ip, Service.Port port) {
        return protocol(port) + "://" + new IpPort(ip, port.port());
    }

    private static String protocol(Service.Port port) {
        return port.protocol().toString().toLowerCase(Locale.ROOT);
    }

    private static String word(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
