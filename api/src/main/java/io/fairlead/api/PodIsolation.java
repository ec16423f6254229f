package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// What the containers of a pod share with each other and with the node, and what holds for all of them.
public record PodIsolation(
        boolean hostPid,
        boolean hostIpc,
        boolean shareProcessNamespace,
        SecurityContext security,
        List<String> imagePullSecrets) {

    public PodIsolation {
        imagePullSecrets = List.copyOf(imagePullSecrets);
    }

    static PodIsolation of(JsonNode spec) {
        return new PodIsolation(
                Json.flag(spec, false, "hostPID"),
                Json.flag(spec, false, "hostIPC"),
                Json.flag(spec, false, "shareProcessNamespace"),
                SecurityContext.of(spec.path("securityContext")),
                Json.list(spec, secret -> Json.text(secret, "name"), "imagePullSecrets"));
    }
}
