package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Which pods a namespace takes: refuses those that go beyond its level, and warns of them and of templates that do.
/// Pure.
///
/// `defaults` is the policy of namespaces whose labels say nothing; the control plane's own namespace is open.
public record PodSecurityAdmission(PodSecurityPolicy defaults) {
    private static final String SYSTEM = "kube-system";
    private static final Set<Kind> WORKLOADS =
            Set.of(Kind.DEPLOYMENT, Kind.REPLICA_SET, Kind.STATEFUL_SET, Kind.DAEMON_SET);

    /// True if objects of this kind are looked at.
    public static boolean concerns(Kind kind) {
        return kind.equals(Kind.POD) || WORKLOADS.contains(kind);
    }

    /// Why a client may not write this, if it may not. `old` is missing for a new object.
    ///
    /// A pod that is there keeps running, so a change is looked at only where it brings other programs.
    public Optional<String> refusal(Kind kind, JsonNode old, JsonNode object, JsonNode namespace) {
        if (!kind.equals(Kind.POD) || !bringsPrograms(old, object)) {
            return Optional.empty();
        }
        return sentence("violates", object, policy(namespace).enforce());
    }

    /// What the author of an object that was taken should know.
    public List<String> warnings(Kind kind, JsonNode object, JsonNode namespace) {
        return sentence("would violate", pod(kind, object), policy(namespace).warn()).stream()
                .toList();
    }

    /// What goes into the log about an object that was taken.
    public Optional<String> note(Kind kind, JsonNode object, JsonNode namespace) {
        return sentence("would violate", pod(kind, object), policy(namespace).audit());
    }

    PodSecurityPolicy policy(JsonNode namespace) {
        boolean system = Json.text(namespace, "metadata", "name").equals(SYSTEM);
        return (system ? PodSecurityPolicy.OPEN : defaults).refinedBy(namespace);
    }

    private static JsonNode pod(Kind kind, JsonNode object) {
        return kind.equals(Kind.POD) ? object : Json.at(object, "spec", "template");
    }

    private static Optional<String> sentence(String verb, JsonNode pod, PodSecurityPolicy.Rule rule) {
        List<String> violations = PodSecurityChecks.violations(pod, rule);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of("%s PodSecurity \"%s\": %s".formatted(verb, rule, String.join(", ", violations)));
    }

    private static boolean bringsPrograms(JsonNode old, JsonNode pod) {
        return old.isMissingNode() || !images(old).equals(images(pod));
    }

    private static List<String> images(JsonNode pod) {
        return RestrictedChecks.containers(pod.path("spec"))
                .map(container -> Json.text(container, "name") + "=" + Json.text(container, "image"))
                .toList();
    }
}
