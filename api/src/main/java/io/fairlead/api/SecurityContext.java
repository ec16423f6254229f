package io.fairlead.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// As whom a container runs and what it may do; of a pod, or of one container, whose own words come first.
///
/// A number below 0 and an [Choice#UNSET] were not said. `refused` are the fields that no node here honours.
public record SecurityContext(
        Identity identity,
        Choice privileged,
        Choice privilegeEscalation,
        Choice readOnlyRoot,
        List<String> addedCapabilities,
        List<String> droppedCapabilities,
        String seccomp,
        String procMount,
        Map<String, String> sysctls,
        List<String> refused) {

    public SecurityContext {
        addedCapabilities = List.copyOf(addedCapabilities);
        droppedCapabilities = List.copyOf(droppedCapabilities);
        refused = List.copyOf(refused);
    }

    /// User and groups by their numbers.
    public record Identity(long user, long group, Choice nonRoot, List<Long> supplementalGroups, long fsGroup) {
        public Identity {
            supplementalGroups = List.copyOf(supplementalGroups);
        }

        private Identity over(Identity pod) {
            return new Identity(
                    user < 0 ? pod.user : user,
                    group < 0 ? pod.group : group,
                    nonRoot.or(pod.nonRoot),
                    pod.supplementalGroups,
                    pod.fsGroup);
        }
    }

    /// What was said about a thing that is or is not so.
    public enum Choice {
        UNSET,
        YES,
        NO;

        static Choice of(JsonNode json, String field) {
            JsonNode value = json.path(field);
            return value.isBoolean() ? (value.booleanValue() ? YES : NO) : UNSET;
        }

        public boolean orElse(boolean other) {
            return this == UNSET ? other : this == YES;
        }

        Choice or(Choice other) {
            return this == UNSET ? other : this;
        }
    }

    static SecurityContext of(JsonNode json) {
        Map<String, String> sysctls = new LinkedHashMap<>();
        json.path("sysctls").valueStream().forEach(s -> sysctls.put(Json.text(s, "name"), Json.text(s, "value")));
        return new SecurityContext(
                new Identity(
                        number(json, "runAsUser"),
                        number(json, "runAsGroup"),
                        Choice.of(json, "runAsNonRoot"),
                        json.path("supplementalGroups")
                                .valueStream()
                                .map(JsonNode::longValue)
                                .toList(),
                        number(json, "fsGroup")),
                Choice.of(json, "privileged"),
                Choice.of(json, "allowPrivilegeEscalation"),
                Choice.of(json, "readOnlyRootFilesystem"),
                Json.texts(json.path("capabilities"), "add"),
                Json.texts(json.path("capabilities"), "drop"),
                Json.text(json, "seccompProfile", "type"),
                Json.text(json, "procMount"),
                sysctls,
                refused(json));
    }

    /// The container's own words over those of its pod.
    public SecurityContext over(SecurityContext pod) {
        List<String> both = new ArrayList<>(pod.refused);
        both.addAll(refused);
        return new SecurityContext(
                identity.over(pod.identity),
                privileged,
                privilegeEscalation,
                readOnlyRoot,
                addedCapabilities,
                droppedCapabilities,
                seccomp.isEmpty() ? pod.seccomp : seccomp,
                procMount,
                pod.sysctls,
                both);
    }

    private static List<String> refused(JsonNode json) {
        List<String> refused = new ArrayList<>();
        for (String profile : List.of("seccompProfile", "appArmorProfile")) {
            if (Json.text(json, profile, "type").equals("Localhost")) {
                refused.add(profile + ".localhostProfile");
            }
        }
        if (json.path("windowsOptions").isObject()) {
            refused.add("windowsOptions");
        }
        return refused;
    }

    private static long number(JsonNode json, String field) {
        return json.path(field).isIntegralNumber() ? json.path(field).longValue() : -1;
    }
}
