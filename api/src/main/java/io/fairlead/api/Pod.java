package io.fairlead.api;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// One or more containers that share a network namespace and an address.
///
/// `gracePeriodSeconds` is how long it may take to end: what the one who deletes it said, or else its spec.
public record Pod(ObjectMeta metadata, Spec spec, Status status, int gracePeriodSeconds) implements KubernetesObject {

    /// What is wanted; `nodeName` is empty until the pod has a node.
    ///
    /// A pod with a `hostname` and a `subdomain` has a DNS name under the Service of that name. Its
    /// `ephemeralContainers` were added by a user who looks into it while it runs. It is not ready before the
    /// conditions that `readinessGates` names are true, which others set.
    public record Spec(
            String nodeName,
            boolean hostNetwork,
            List<Container> containers,
            List<Container> initContainers,
            List<Container> ephemeralContainers,
            List<String> readinessGates,
            String hostname,
            String subdomain,
            RestartPolicy restartPolicy,
            int terminationGracePeriodSeconds,
            Placement placement,
            PodSurroundings surroundings) {
        static Spec of(JsonNode json) {
            return new Spec(
                    Json.text(json, "nodeName"),
                    Json.flag(json, false, "hostNetwork"),
                    Json.list(json, Container::of, "containers"),
                    Json.list(json, Container::of, "initContainers"),
                    Json.list(json, Container::of, "ephemeralContainers"),
                    Json.list(json, gate -> Json.text(gate, "conditionType"), "readinessGates"),
                    Json.text(json, "hostname"),
                    Json.text(json, "subdomain"),
                    RestartPolicy.of(Json.text(json, "restartPolicy")),
                    Json.number(json, 30, "terminationGracePeriodSeconds"),
                    Placement.of(json),
                    PodSurroundings.of(json));
        }

        /// How much of a thing the pod needs at once: what its lasting containers ask for together, or more where an
        /// init container does.
        public Quantity requested(String name) {
            Quantity together = lastingContainers().stream()
                    .map(container -> container.settings().resources().request(name))
                    .reduce(Quantity.NONE, Quantity::plus);
            return initContainers.stream()
                    .map(container -> container.settings().resources().request(name))
                    .reduce(together, Quantity::max);
        }

        /// The containers that run as long as the pod does: all but those that end before the others start.
        public List<Container> lastingContainers() {
            return Stream.concat(containers.stream(), initContainers.stream().filter(Container::sidecar))
                    .toList();
        }
    }

    /// When a container that ended is started again.
    public enum RestartPolicy {
        ALWAYS,
        ON_FAILURE,
        NEVER;

        static RestartPolicy of(String text) {
            return switch (text) {
                case "OnFailure" -> ON_FAILURE;
                case "Never" -> NEVER;
                default -> ALWAYS; // what the API says of an absent one
            };
        }

        public boolean restartsAfter(int exitCode) {
            return switch (this) {
                case ALWAYS -> true;
                case ON_FAILURE -> exitCode != 0;
                case NEVER -> false;
            };
        }
    }

    /// One program of the pod; `sidecar` says of an init container that it goes on running.
    public record Container(
            String name,
            String image,
            List<String> command,
            List<String> args,
            String workingDir,
            List<EnvVar> env,
            List<EnvVar.From> envFrom,
            List<ContainerPort> ports,
            List<Volume.Mount> mounts,
            Probe readinessProbe,
            Probe livenessProbe,
            Probe startupProbe,
            Terminal terminal,
            boolean sidecar,
            ContainerSettings settings) {
        static Container of(JsonNode json) {
            return new Container(
                    Json.text(json, "name"),
                    Json.text(json, "image"),
                    Json.texts(json, "command"),
                    Json.texts(json, "args"),
                    Json.text(json, "workingDir"),
                    Json.list(json, EnvVar::of, "env"),
                    Json.list(json, EnvVar.From::of, "envFrom"),
                    Json.list(json, ContainerPort::of, "ports"),
                    Json.list(json, Volume.Mount::of, "volumeMounts"),
                    Probe.of(json.path("readinessProbe")),
                    Probe.of(json.path("livenessProbe")),
                    Probe.of(json.path("startupProbe")),
                    Terminal.of(json),
                    Json.text(json, "restartPolicy").equals("Always"),
                    ContainerSettings.of(json));
        }
    }

    /// What a container has for people to talk to it: an input that stays open, `once` until the first of them
    /// leaves, and a terminal.
    public record Terminal(boolean stdin, boolean once, boolean tty) {
        static Terminal of(JsonNode json) {
            return new Terminal(
                    Json.flag(json, false, "stdin"),
                    Json.flag(json, false, "stdinOnce"),
                    Json.flag(json, false, "tty"));
        }

        public boolean isWanted() {
            return stdin || tty;
        }
    }

    /// A port that a container says it listens on; `hostPort` is 0 where the node has none for it.
    public record ContainerPort(String name, Protocol protocol, int port, int hostPort, String hostIp) {
        static ContainerPort of(JsonNode json) {
            return new ContainerPort(
                    Json.text(json, "name"),
                    Protocol.of(Json.text(json, "protocol")),
                    Json.number(json, 0, "containerPort"),
                    Json.number(json, 0, "hostPort"),
                    Json.text(json, "hostIP"));
        }
    }

    /// What is; `ready` is the Ready condition, and `readyChanged` when it last became so or not so. `unschedulable`
    /// says why there is no node for the pod; empty where there is one, or the scheduler has not looked yet.
    /// `passedGates` are those of its readiness gates whose condition is true.
    public record Status(
            String phase,
            String hostIp,
            List<Ip> podIps,
            boolean ready,
            String readyChanged,
            String unschedulable,
            List<String> passedGates) {
        static Status of(JsonNode json, Spec spec) {
            List<Ip> several = Json.list(json, ip -> Ip.find(Json.text(ip, "ip")), "podIPs").stream()
                    .flatMap(java.util.Optional::stream)
                    .toList();
            return new Status(
                    Json.text(json, "phase"),
                    Json.text(json, "hostIP"),
                    several.isEmpty()
                            ? Ip.find(Json.text(json, "podIP")).stream().toList()
                            : several,
                    Conditions.isTrue(json, "Ready"),
                    Conditions.changed(json, "Ready"),
                    Conditions.status(json, "PodScheduled").equals("False")
                            ? Conditions.message(json, "PodScheduled")
                            : "",
                    spec.readinessGates().stream()
                            .filter(gate -> Conditions.isTrue(json, gate))
                            .toList());
        }

        /// True when no container will run again.
        public boolean isOver() {
            return phase.equals("Succeeded") || phase.equals("Failed");
        }
    }

    public static Pod of(JsonNode json) {
        Spec spec = Spec.of(json.path("spec"));
        return new Pod(
                ObjectMeta.of(json),
                spec,
                Status.of(json.path("status"), spec),
                Json.number(json, spec.terminationGracePeriodSeconds(), "metadata", "deletionGracePeriodSeconds"));
    }

    @Override
    public Kind kind() {
        return Kind.POD;
    }
}
