package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ParseException;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The `imagePullSecrets` of a pod, read when a registry is asked.
public record PullSecrets(ApiClient api, Pod pod) {
    /// All of them as one file of the form that registries' tools read; nothing where there are none.
    Optional<String> authFile() throws InterruptedException {
        List<String> names = pod.spec().surroundings().isolation().imagePullSecrets();
        if (names.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode auths = Json.object();
        ConfigValues values = new ConfigValues(api, pod.key().namespace());
        for (String name : names) {
            Map<String, byte[]> secret = values.find(Kind.SECRET, name).orElse(Map.of());
            byte[] modern = secret.get(".dockerconfigjson");
            byte[] old = secret.get(".dockercfg");
            try {
                if (modern != null) {
                    put(auths, Json.parse(modern).path("auths"));
                } else if (old != null) {
                    put(auths, Json.parse(old));
                }
            } catch (ParseException e) {
                throw new NodeException("imagePullSecrets: secret %s cannot be read".formatted(name), e);
            }
        }
        ObjectNode file = Json.object();
        file.set("auths", auths);
        return Optional.of(file.toString());
    }

    private static void put(ObjectNode auths, JsonNode more) {
        more.propertyStream().forEach(entry -> auths.set(entry.getKey(), entry.getValue()));
    }
}
