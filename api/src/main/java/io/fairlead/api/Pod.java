package io.fairlead.api;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// One or more containers that share a network namespace and an address.
public record Pod(ObjectMeta metadata, Spec spec, Status status) implements KubernetesObject {

    /// What is wanted; `nodeName` is empty until the pod has a node.
    public record Spec(
            String nodeName, boolean hostNetwork, List<Container> containers, int terminationGracePeriodSeconds) {
        static Spec of(JsonNode json) {
            return new Spec(
                    Json.text(json, "nodeName"),
                    Json.flag(json, false, "hostNetwork"),
                    Json.list(json, Container::of, "containers"),
                    Json.number(json, 30, "terminationGracePeriodSeconds"));
        }
    }

    /// One program of the pod.
    public record Container(
            String name,
            String image,
            List<String> command,
            List<String> args,
            Map<String, String> env,
            List<ContainerPort> ports) {
        static Container of(JsonNode json) {
            Map<String, String> env = new java.util.LinkedHashMap<>();
            json.path("env").valueStream().forEach(e -> env.put(Json.text(e, "name"), Json.text(e, "value")));
            return new Container(
                    Json.text(json, "name"),
                    Json.text(json, "image"),
                    Json.texts(json, "command"),
                    Json.texts(json, "args"),
                    env,
                    Json.list(json, ContainerPort::of, "ports"));
        }
    }

    /// A port that a container says it listens on.
    public record ContainerPort(String name, Protocol protocol, int port) {
        static ContainerPort of(JsonNode json) {
            return new ContainerPort(
                    Json.text(json, "name"),
                    Protocol.of(Json.text(json, "protocol")),
                    Json.number(json, 0, "containerPort"));
        }
    }

    /// What is; `ready` is the Ready condition.
    public record Status(String phase, String hostIp, List<Ip> podIps, boolean ready) {
        static Status of(JsonNode json) {
            List<Ip> several = Json.list(json, ip -> Ip.find(Json.text(ip, "ip")), "podIPs").stream()
                    .flatMap(java.util.Optional::stream)
                    .toList();
            return new Status(
                    Json.text(json, "phase"),
                    Json.text(json, "hostIP"),
                    several.isEmpty()
                            ? Ip.find(Json.text(json, "podIP")).stream().toList()
                            : several,
                    Conditions.isTrue(json, "Ready"));
        }

        /// True when no container will run again.
        public boolean isOver() {
            return phase.equals("Succeeded") || phase.equals("Failed");
        }
    }

    public static Pod of(JsonNode json) {
        return new Pod(ObjectMeta.of(json), Spec.of(json.path("spec")), Status.of(json.path("status")));
    }

    @Override
    public Kind kind() {
        return Kind.POD;
    }
}
