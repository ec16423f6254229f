package io.fairlead.api;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Networks that the addresses of Services come from, one of each family at most.
public record ServiceCidr(ObjectMeta metadata, List<Cidr> cidrs) implements KubernetesObject {
    public static ServiceCidr of(JsonNode json) {
        return new ServiceCidr(
                ObjectMeta.of(json),
                Json.texts(json, "spec", "cidrs").stream()
                        .map(Cidr::find)
                        .flatMap(Optional::stream)
                        .toList());
    }

    @Override
    public Kind kind() {
        return Kind.SERVICE_CIDR;
    }
}
