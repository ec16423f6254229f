package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// A pod, and the template of one: pure.
final class PodDescriber {
    private PodDescriber() {}

    static void describe(JsonNode pod, Description to) {
        JsonNode spec = pod.path("spec");
        JsonNode status = pod.path("status");
        to.line("Name:\t%s".formatted(Json.text(pod, "metadata", "name")));
        to.line("Namespace:\t%s".formatted(Json.text(pod, "metadata", "namespace")));
        to.lineIf("Priority", spec.path("priority").asString(""));
        to.lineIf("Priority Class Name", Json.text(spec, "priorityClassName"));
        to.lineIf("Runtime Class Name", Json.text(spec, "runtimeClassName"));
        to.lineIf("Service Account", Json.text(spec, "serviceAccountName"));
        String node = Json.text(spec, "nodeName");
        to.line("Node:\t%s".formatted(node.isEmpty() ? Description.NONE : node + "/" + Json.text(status, "hostIP")));
        to.lineIf("Start Time", Description.date(Json.text(status, "startTime")));
        to.labels("Labels", Json.map(pod, "metadata", "labels"));
        to.annotations("Annotations", Json.map(pod, "metadata", "annotations"));
        status(pod, to);
        ContainersDescriber containers = new ContainersDescriber(to, "");
        if (!spec.path("initContainers").isEmpty()) {
            containers.describe("Init Containers", spec.path("initContainers"), status.path("initContainerStatuses"));
        }
        containers.describe("Containers", spec.path("containers"), status.path("containerStatuses"));
        if (!status.path("conditions").isEmpty()) {
            to.line("Conditions:\n  Type\tStatus");
            status.path("conditions")
                    .forEach(one -> to.line("  %s \t%s ".formatted(Json.text(one, "type"), Json.text(one, "status"))));
        }
        VolumesDescriber.describe(spec.path("volumes"), to, "");
        to.line("QoS Class:\t%s".formatted(qosClass(pod)));
        placement(spec, to, "");
    }

    /// What the status says, or what follows from the resources before there is one.
    private static String qosClass(JsonNode pod) {
        String told = Json.text(pod, "status", "qosClass");
        if (!told.isEmpty()) {
            return told;
        }
        List<JsonNode> resources = Stream.of("initContainers", "containers")
                .flatMap(field -> pod.path("spec").path(field).valueStream())
                .map(container -> container.path("resources"))
                .toList();
        if (resources.stream()
                .allMatch(one ->
                        one.path("limits").isEmpty() && one.path("requests").isEmpty())) {
            return "BestEffort";
        }
        return resources.stream().allMatch(PodDescriber::isGuaranteed) ? "Guaranteed" : "Burstable";
    }

    private static boolean isGuaranteed(JsonNode resources) {
        return Stream.of("cpu", "memory").allMatch(name -> {
            String limit = resources.path("limits").path(name).asString("");
            return !limit.isEmpty()
                    && limit.equals(resources.path("requests").path(name).asString(limit));
        });
    }

    private static void status(JsonNode pod, Description to) {
        JsonNode status = pod.path("status");
        String deletion = Json.text(pod, "metadata", "deletionTimestamp");
        if (deletion.isEmpty()) {
            to.line("Status:\t%s".formatted(Json.text(status, "phase")));
        } else {
            to.line("Status:\tTerminating (lasts %s)".formatted(to.age(deletion)));
            to.line("Termination Grace Period:\t%ds"
                    .formatted(Json.number(pod, 0, "metadata", "deletionGracePeriodSeconds")));
        }
        to.lineIf("Reason", Json.text(status, "reason"));
        to.lineIf("Message", Json.text(status, "message"));
        to.line("IP:\t%s".formatted(Json.text(status, "podIP")));
        to.line(status.path("podIPs").isEmpty() ? "IPs:\t" + Description.NONE : "IPs:");
        status.path("podIPs").forEach(ip -> to.line("  IP:\t%s".formatted(Json.text(ip, "ip"))));
        pod.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(owner -> Json.flag(owner, false, "controller"))
                .findFirst()
                .ifPresent(owner ->
                        to.line("Controlled By:\t%s/%s".formatted(Json.text(owner, "kind"), Json.text(owner, "name"))));
    }

    /// The template of a Deployment or of its like.
    static void template(JsonNode template, Description to) {
        JsonNode spec = template.path("spec");
        to.line("Pod Template:");
        to.labels("  Labels", Json.map(template, "metadata", "labels"));
        if (!template.path("metadata").path("annotations").isEmpty()) {
            to.annotations("  Annotations", Json.map(template, "metadata", "annotations"));
        }
        to.lineIf("  Service Account", Json.text(spec, "serviceAccountName"));
        ContainersDescriber containers = new ContainersDescriber(to, "  ");
        if (!spec.path("initContainers").isEmpty()) {
            containers.describe("Init Containers", spec.path("initContainers"), MissingNode.getInstance());
        }
        containers.describe("Containers", spec.path("containers"), MissingNode.getInstance());
        VolumesDescriber.describe(spec.path("volumes"), to, "  ");
        to.lineIf("  Priority Class Name", Json.text(spec, "priorityClassName"));
        placement(spec, to, "  ");
    }

    private static void placement(JsonNode spec, Description to, String indent) {
        to.labels(indent + "Node-Selectors", Json.map(spec, "nodeSelector"));
        String lines = spec.path("tolerations")
                .valueStream()
                .map(PodDescriber::toleration)
                .sorted()
                .collect(Collectors.joining("\n" + indent + "\t"));
        to.line("%sTolerations:\t%s".formatted(indent, lines.isEmpty() ? Description.NONE : lines));
    }

    private static String toleration(JsonNode toleration) {
        String key = Json.text(toleration, "key");
        String value = Json.text(toleration, "value");
        String effect = Json.text(toleration, "effect");
        String text = key + (value.isEmpty() ? "" : "=" + value) + (effect.isEmpty() ? "" : ":" + effect);
        if (Json.text(toleration, "operator").equals("Exists") && value.isEmpty()) {
            text += (text.isEmpty() ? "" : " ") + "op=Exists";
        }
        String seconds = toleration.path("tolerationSeconds").asString("");
        return seconds.isEmpty() ? text : text + " for " + seconds + "s";
    }
}
