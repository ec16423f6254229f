package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a pod's spec says where its author did not, alone or in a template.
final class PodDefaults {
    private static final int GRACE_SECONDS = 30;
    private static final int FILE_MODE = 0644;
    private static final int TOKEN_SECONDS = 3600;
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> CONTAINERS = List.of("containers", "initContainers", "ephemeralContainers");
    private static final List<String> WITH_MODE = List.of("secret", "configMap", "downwardAPI", "projected");

    private PodDefaults() {}

    /// What the spec of a template has, and that of a pod, too.
    static void fillSpec(ObjectNode spec) {
        Tree.putIfAbsent(spec, "restartPolicy", "Always");
        Tree.putIfAbsent(spec, "dnsPolicy", "ClusterFirst");
        Tree.putIfAbsent(spec, "terminationGracePeriodSeconds", GRACE_SECONDS);
        Tree.putIfAbsent(spec, "schedulerName", "default-scheduler");
        Tree.object(spec, "securityContext");
        fillAccount(spec);
        containers(spec).forEach(PodDefaults::fillContainer);
        Tree.objects(spec, "volumes").forEach(PodDefaults::fillVolume);
    }

    /// What only a pod itself has.
    static void fillPod(ObjectNode spec) {
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
        boolean hostNetwork = Json.flag(spec, false, "hostNetwork");
        for (String field : List.of("containers", "initContainers")) {
            for (ObjectNode container : Tree.objects(spec, field)) {
                requestLimits(container);
                if (hostNetwork) {
                    Tree.objects(container, "ports").forEach(PodDefaults::takeHostPort);
                }
            }
        }
    }

    /// `serviceAccount` is the old name of `serviceAccountName`; both are shown.
    private static void fillAccount(ObjectNode spec) {
        String account = Json.text(spec, "serviceAccountName");
        String old = Json.text(spec, "serviceAccount");
        if (account.isEmpty() && !old.isEmpty()) {
            spec.put("serviceAccountName", old);
        } else if (!account.isEmpty()) {
            spec.put("serviceAccount", account);
        }
    }

    private static Stream<ObjectNode> containers(ObjectNode spec) {
        return CONTAINERS.stream().flatMap(field -> Tree.objects(spec, field).stream());
    }

    static void fillContainer(ObjectNode container) {
        Tree.putIfAbsent(container, "imagePullPolicy", pullPolicy(Json.text(container, "image")));
        Tree.putIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
        Tree.putIfAbsent(container, "terminationMessagePolicy", "File");
        Tree.object(container, "resources");
        Tree.objects(container, "ports").forEach(port -> Tree.putIfAbsent(port, "protocol", "TCP"));
        PROBES.forEach(probe -> fillProbe(container.path(probe)));
        for (String hook : List.of("postStart", "preStop")) {
            fillHttpGet(Json.at(container, "lifecycle", hook, "httpGet"));
        }
        for (ObjectNode variable : Tree.objects(container, "env")) {
            fillFieldRef(Json.at(variable, "valueFrom", "fieldRef"));
            fillDivisor(Json.at(variable, "valueFrom", "resourceFieldRef"));
        }
    }

    /// An image without a tag may be another one tomorrow.
    static String pullPolicy(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        boolean digest = name.contains("@");
        boolean tagged = name.contains(":");
        boolean latest = !digest && (!tagged || name.endsWith(":latest"));
        return latest && !image.isEmpty() ? "Always" : "IfNotPresent";
    }

    private static void fillProbe(JsonNode given) {
        if (given instanceof ObjectNode probe) {
            Map.of("timeoutSeconds", 1, "periodSeconds", 10, "successThreshold", 1, "failureThreshold", 3)
                    .forEach((field, usual) -> Tree.putIfAbsentOrZero(probe, field, usual));
            fillHttpGet(probe.path("httpGet"));
            if (probe.path("grpc") instanceof ObjectNode grpc && !grpc.has("service")) {
                grpc.put("service", "");
            }
        }
    }

    private static void fillHttpGet(JsonNode given) {
        if (given instanceof ObjectNode get) {
            Tree.putIfAbsent(get, "path", "/");
            Tree.putIfAbsent(get, "scheme", "HTTP");
        }
    }

    private static void fillFieldRef(JsonNode given) {
        if (given instanceof ObjectNode reference) {
            Tree.putIfAbsent(reference, "apiVersion", "v1");
        }
    }

    private static void fillDivisor(JsonNode given) {
        if (given instanceof ObjectNode reference && !reference.has("divisor")) {
            reference.put("divisor", "0");
        }
    }

    private static void fillVolume(ObjectNode volume) {
        if (volume.size() == 1 && volume.has("name")) {
            volume.putObject("emptyDir");
        }
        for (String source : WITH_MODE) {
            if (volume.path(source) instanceof ObjectNode files) {
                Tree.putIfAbsent(files, "defaultMode", FILE_MODE);
                fillItems(files);
            }
        }
        if (volume.path("hostPath") instanceof ObjectNode host && !host.has("type")) {
            host.put("type", "");
        }
        if (volume.path("projected") instanceof ObjectNode projected) {
            Tree.objects(projected, "sources").forEach(PodDefaults::fillSource);
        }
        if (Json.at(volume, "ephemeral", "volumeClaimTemplate", "spec") instanceof ObjectNode claim) {
            Tree.putIfAbsent(claim, "volumeMode", "Filesystem");
            Tree.object(claim, "resources");
        }
    }

    private static void fillSource(ObjectNode source) {
        if (source.path("serviceAccountToken") instanceof ObjectNode token) {
            Tree.putIfAbsent(token, "expirationSeconds", TOKEN_SECONDS);
        }
        if (source.path("downwardAPI") instanceof ObjectNode files) {
            fillItems(files);
        }
    }

    private static void fillItems(ObjectNode files) {
        for (ObjectNode item : Tree.objects(files, "items")) {
            fillFieldRef(item.path("fieldRef"));
            fillDivisor(item.path("resourceFieldRef"));
        }
    }

    private static void requestLimits(ObjectNode container) {
        if (Json.at(container, "resources", "limits") instanceof ObjectNode limits && !limits.isEmpty()) {
            ObjectNode requests = Tree.object(Tree.object(container, "resources"), "requests");
            limits.properties().forEach(limit -> requests.putIfAbsent(limit.getKey(), limit.getValue()));
        }
    }

    /// On its node's own network a container listens where it says, on every port of the node.
    private static void takeHostPort(ObjectNode port) {
        if (Json.number(port, 0, "hostPort") == 0 && port.path("containerPort").isIntegralNumber()) {
            port.set("hostPort", port.path("containerPort"));
        }
    }
}
