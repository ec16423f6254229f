package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What only the level `restricted` asks of a pod. Pure.
final class RestrictedChecks {
    /// What a container has without asking.
    static final Set<String> DEFAULT_CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    private static final String SECURITY = "securityContext";
    private static final Set<String> VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");
    private static final Set<String> PROFILES = Set.of("RuntimeDefault", "Localhost");
    private static final int ESCALATION = 8;
    private static final int SECCOMP = 19;
    private static final int CAPABILITIES = 22;
    private static final int USERS = 23;
    private static final int WINDOWS = 25;

    private final JsonNode spec;
    private final List<String> found = new ArrayList<>();

    private RestrictedChecks(JsonNode spec) {
        this.spec = spec;
    }

    static List<String> violations(JsonNode spec, int minor) {
        RestrictedChecks checks = new RestrictedChecks(spec);
        // Windows knows neither capabilities nor these profiles.
        boolean linux = minor < WINDOWS || !Json.text(spec, "os", "name").equals("windows");
        checks.checkVolumes();
        checks.checkNonRoot();
        if (minor >= USERS) {
            checks.checkUsers();
        }
        if (linux && minor >= ESCALATION) {
            checks.checkEscalation();
        }
        if (linux && minor >= SECCOMP) {
            checks.checkSeccomp();
        }
        if (linux && minor >= CAPABILITIES) {
            checks.checkCapabilities();
        }
        return checks.found;
    }

    private void checkVolumes() {
        List<String> bad = new ArrayList<>();
        for (JsonNode volume : spec.path("volumes")) {
            List<String> types = volume.propertyStream()
                    .filter(entry -> entry.getValue().isObject() && !VOLUMES.contains(entry.getKey()))
                    .map(java.util.Map.Entry::getKey)
                    .toList();
            if (!types.isEmpty()) {
                bad.add("\"%s\" of type %s".formatted(Json.text(volume, "name"), String.join(", ", types)));
            }
        }
        report(!bad.isEmpty(), "restricted volume types", "volumes " + String.join(", ", bad));
    }

    private void checkEscalation() {
        String names = names(spec, c -> Json.flag(c.path(SECURITY), true, "allowPrivilegeEscalation"));
        report(
                !names.isEmpty(),
                "allowPrivilegeEscalation != false",
                names + " must set securityContext.allowPrivilegeEscalation=false");
    }

    private void checkNonRoot() {
        boolean podSays = Json.flag(spec.path(SECURITY), false, "runAsNonRoot");
        String names = names(spec, c -> !Json.flag(c.path(SECURITY), podSays, "runAsNonRoot"));
        report(
                !names.isEmpty(),
                "runAsNonRoot != true",
                "the pod or %s must set securityContext.runAsNonRoot=true".formatted(names));
    }

    private void checkUsers() {
        String names = names(spec, c -> Json.number(c.path(SECURITY), 1, "runAsUser") == 0);
        boolean podWide = Json.number(spec.path(SECURITY), 1, "runAsUser") == 0;
        String who = podWide ? (names.isEmpty() ? "the pod" : "the pod and " + names) : names;
        report(!who.isEmpty(), "runAsUser=0", who + " must not set runAsUser=0");
    }

    private void checkSeccomp() {
        String podProfile = Json.text(spec, SECURITY, "seccompProfile", "type");
        String names = names(spec, c -> {
            String own = Json.text(c, SECURITY, "seccompProfile", "type");
            return !PROFILES.contains(own.isEmpty() ? podProfile : own);
        });
        report(
                !names.isEmpty() || (!podProfile.isEmpty() && !PROFILES.contains(podProfile)),
                "seccompProfile",
                "the pod or %s must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\""
                        .formatted(names.isEmpty() ? "its containers" : names));
    }

    private void checkCapabilities() {
        String keeping = names(
                spec, c -> !Json.texts(c, SECURITY, "capabilities", "drop").contains("ALL"));
        report(
                !keeping.isEmpty(),
                "unrestricted capabilities",
                keeping + " must set securityContext.capabilities.drop=[\"ALL\"]");
        String adding = names(
                spec,
                c -> Json.texts(c, SECURITY, "capabilities", "add").stream()
                        .anyMatch(capability -> !capability.equals("NET_BIND_SERVICE")));
        report(
                !adding.isEmpty(),
                "unrestricted capabilities",
                adding + " must add no capability but \"NET_BIND_SERVICE\"");
    }

    static Stream<JsonNode> containers(JsonNode spec) {
        return Stream.of("initContainers", "containers", "ephemeralContainers")
                .flatMap(field -> spec.path(field).valueStream());
    }

    /// `container "a"`, or `containers "a", "b"`, of those that break a rule; empty where none does.
    static String names(JsonNode spec, Predicate<JsonNode> breaks) {
        List<String> names = containers(spec)
                .filter(breaks)
                .map(container -> "\"" + Json.text(container, "name") + "\"")
                .toList();
        return names.isEmpty() ? "" : (names.size() == 1 ? "container " : "containers ") + String.join(", ", names);
    }

    private void report(boolean broken, String what, String who) {
        if (broken) {
            found.add("%s (%s)".formatted(what, who));
        }
    }
}
