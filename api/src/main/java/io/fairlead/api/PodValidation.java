package io.fairlead.api;

import io.fairlead.api.NameValidation.LetterCase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for the spec of a Pod, alone or as the template of a workload.
public final class PodValidation {
    private PodValidation() {}

    public static List<Problem> check(JsonNode pod) {
        FieldValidation root = FieldValidation.of(pod);
        checkSpec(root.object("spec"));
        return root.problems();
    }

    /// A pod that has a node stays on it.
    public static List<Problem> checkUpdate(JsonNode old, JsonNode pod) {
        FieldValidation root = FieldValidation.of(pod);
        String node = Json.text(old, "spec", "nodeName");
        String wanted = Json.text(pod, "spec", "nodeName");
        if (!node.isEmpty() && !node.equals(wanted)) {
            root.object("spec").invalid("nodeName", wanted, "may not change once the pod is bound to a node");
        }
        return root.problems();
    }

    static void checkSpec(FieldValidation spec) {
        Set<String> names = new HashSet<>();
        List<FieldValidation> containers = spec.objects("containers");
        if (containers.isEmpty()) {
            spec.required("containers", "a pod has at least one container");
        }
        containers.forEach(container -> checkContainer(container, names));
        spec.objects("initContainers").forEach(container -> checkContainer(container, names));
        spec.text("nodeName");
        spec.flag("hostNetwork", false);
        spec.choice("restartPolicy", List.of("Always", "Never", "OnFailure"));
        if (spec.number("terminationGracePeriodSeconds", 0) < 0) {
            spec.invalid("terminationGracePeriodSeconds", -1, "must be greater than or equal to 0");
        }
        for (String field : List.of("hostname", "subdomain")) {
            String name = spec.text(field);
            if (!name.isEmpty()) {
                spec.check(field, name, NameValidation.label(LetterCase.LOWER, name));
            }
        }
    }

    private static void checkContainer(FieldValidation container, Set<String> names) {
        String name = container.text("name");
        if (name.isEmpty()) {
            container.required("name", "");
        } else {
            container.check("name", name, NameValidation.label(LetterCase.LOWER, name));
            if (!names.add(name)) {
                container.duplicate("name", name);
            }
        }
        container.text("image");
        container.texts("command");
        container.texts("args");
        container.objects("env").forEach(PodValidation::checkVariable);
        Set<String> portNames = new HashSet<>();
        container.objects("ports").forEach(port -> checkPort(port, portNames));
    }

    private static void checkVariable(FieldValidation variable) {
        if (variable.text("name").isEmpty()) {
            variable.required("name", "");
        }
        variable.text("value");
    }

    private static void checkPort(FieldValidation port, Set<String> names) {
        if (!port.has("containerPort")) {
            port.required("containerPort", "");
        } else {
            port.checkPort("containerPort", port.number("containerPort", 1));
        }
        port.choice("protocol", List.of("SCTP", "TCP", "UDP"));
        String name = port.text("name");
        if (name.isEmpty()) {
            return;
        }
        port.check("name", name, NameValidation.portName(name));
        if (!names.add(name)) {
            port.duplicate("name", name);
        }
    }
}
