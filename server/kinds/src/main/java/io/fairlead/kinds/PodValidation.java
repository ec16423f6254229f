package io.fairlead.kinds;

import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for the spec of a Pod, alone or as the template of a workload.
public final class PodValidation {
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None");
    private static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");

    private PodValidation() {}

    public static List<Problem> check(JsonNode pod) {
        FieldValidation root = FieldValidation.of(pod);
        checkSpec(root.object("spec"));
        return root.problems();
    }

    /// The pod in a PodTemplate.
    static List<Problem> checkTemplate(JsonNode object) {
        FieldValidation root = FieldValidation.of(object);
        FieldValidation template = root.object("template");
        MetadataValidation.checkLabels(template.object("metadata"), "labels");
        checkSpec(template.object("spec"));
        return root.problems();
    }

    public static List<Problem> checkUpdate(JsonNode old, JsonNode pod) {
        return PodChangeValidation.check(old.path("spec"), pod.path("spec"));
    }

    static void checkSpec(FieldValidation spec) {
        Set<String> names = new HashSet<>();
        List<FieldValidation> containers = spec.objects("containers");
        if (containers.isEmpty()) {
            spec.required("containers", "");
        }
        containers.forEach(container -> ContainerValidation.check(container, names));
        spec.objects("initContainers").forEach(container -> ContainerValidation.checkInit(container, names));
        MountValidation.checkVolumes(spec);
        checkHostPorts(spec);
        spec.text("nodeName");
        spec.choice("restartPolicy", RESTART_POLICIES);
        spec.choice("dnsPolicy", DNS_POLICIES);
        spec.checkNotNegative("terminationGracePeriodSeconds");
        for (String field : List.of("hostname", "subdomain")) {
            String name = spec.text(field);
            if (!name.isEmpty()) {
                spec.check(field, name, NameValidation.label(LetterCase.LOWER, name));
            }
        }
    }

    /// A pod has the ports of its node once, and on the node's own network those that its containers have.
    private static void checkHostPorts(FieldValidation spec) {
        boolean hostNetwork = spec.flag("hostNetwork", false);
        Set<String> seen = new HashSet<>();
        for (FieldValidation container : spec.objects("containers")) {
            for (FieldValidation port : container.objects("ports")) {
                int hostPort = port.number("hostPort", 0);
                int number = port.number("containerPort", 0);
                String key = port.text("protocol") + "/" + port.text("hostIP") + "/" + hostPort;
                if (hostPort != 0 && !seen.add(key)) {
                    port.duplicate("hostPort", key);
                }
                if (hostNetwork && hostPort != 0 && hostPort != number) {
                    port.invalid("containerPort", number, "must match `hostPort` when `hostNetwork` is true");
                }
            }
        }
    }
}
