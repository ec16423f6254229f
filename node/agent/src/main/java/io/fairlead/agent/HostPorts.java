package io.fairlead.agent;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The ports of a node that lead to one pod: `hostPort` of its containers. Pure.
///
/// To the proxy of this node each one looks like a node port of a Service of its own, with this pod alone behind it; so
/// every proxy mode has them, and clients keep their address. The names of these Services hold a dot, which no other
/// Service's does; their cluster addresses are those that nobody has (RFC 7600, RFC 6666).
public final class HostPorts {
    private static final Ip NOBODY = Ip.parse("192.0.0.8");
    private static final Ip NOBODY6 = Ip.parse("100::8");

    private HostPorts() {}

    /// What the proxy of a node is to see: the cluster, and the host ports of the node's pods.
    public static Snapshot shown(Snapshot snapshot, String node) {
        Snapshot shown = snapshot;
        for (Pod pod :
                snapshot.pods().values().filter(pod -> isServed(pod, node)).toList()) {
            for (Pod.Container container : pod.spec().lastingContainers()) {
                for (Pod.ContainerPort port : container.ports()) {
                    if (port.hostPort() > 0) {
                        shown = with(shown, pod, port);
                    }
                }
            }
        }
        return shown;
    }

    private static boolean isServed(Pod pod, String node) {
        return pod.spec().nodeName().equals(node)
                && !pod.spec().hostNetwork() // there the port is the node's already
                && !pod.status().isOver()
                && !pod.status().podIps().isEmpty();
    }

    private static Snapshot with(Snapshot snapshot, Pod pod, Pod.ContainerPort port) {
        String name = "%s.%d-%s".formatted(pod.key().name(), port.hostPort(), port.protocol());
        Snapshot shown = snapshot.with(Service.of(service(pod, port, name)));
        for (Ip address : pod.status().podIps()) {
            shown = shown.with(EndpointSlice.of(slice(pod, port, name, address)));
        }
        return shown;
    }

    private static ObjectNode service(Pod pod, Pod.ContainerPort port, String name) {
        ObjectNode service = Json.object();
        service.putObject("metadata").put("namespace", pod.key().namespace()).put("name", name);
        ObjectNode spec = service.putObject("spec").put("type", "NodePort").put("externalTrafficPolicy", "Local");
        ArrayNode addresses = spec.putArray("clusterIPs");
        pod.status().podIps().stream().map(HostPorts::nobody).distinct().forEach(addresses::add);
        ObjectNode entry = spec.putArray("ports")
                .addObject()
                .put("protocol", port.protocol().toString())
                .put("port", port.hostPort())
                .put("targetPort", port.port());
        boolean everywhere = List.of("", "0.0.0.0", "::").contains(port.hostIp());
        if (everywhere) {
            entry.put("nodePort", port.hostPort());
        } else {
            spec.putArray("externalIPs").add(port.hostIp());
        }
        return service;
    }

    private static String nobody(Ip address) {
        return (address.family() == Family.IPV4 ? NOBODY : NOBODY6).toString();
    }

    private static ObjectNode slice(Pod pod, Pod.ContainerPort port, String name, Ip address) {
        ObjectNode slice = Json.object().put("addressType", address.family().toString());
        slice.putObject("metadata")
                .put("namespace", pod.key().namespace())
                .put("name", name + "." + address.family())
                .putObject("labels")
                .put(EndpointSlice.SERVICE_NAME, name);
        ObjectNode endpoint = slice.putArray("endpoints")
                .addObject()
                .put("nodeName", pod.spec().nodeName());
        endpoint.putArray("addresses").add(address.toString());
        slice.putArray("ports")
                .addObject()
                .put("name", "")
                .put("protocol", port.protocol().toString())
                .put("port", port.port());
        return slice;
    }
}
