package io.fairlead.http;

import io.fairlead.merge.JsonPatch;
import io.fairlead.merge.KindMerge;
import io.fairlead.merge.MergeException;
import io.fairlead.merge.MergePatch;
import io.fairlead.objects.StatusException;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The forms that a patch may have (K23).
enum PatchType {
    JSON("application/json-patch+json"),
    MERGE("application/merge-patch+json"),
    STRATEGIC("application/strategic-merge-patch+json"),
    APPLY("application/apply-patch+yaml");

    private final String mediaType;

    PatchType(String mediaType) {
        this.mediaType = mediaType;
    }

    static PatchType of(ApiRequest request) {
        return Arrays.stream(values())
                .filter(type -> type.mediaType.equals(request.contentType()))
                .findFirst()
                .orElseThrow(() -> unsupported(request));
    }

    static StatusException unsupported(ApiRequest request) {
        return request.unsupportedMediaType(
                Arrays.stream(values()).map(type -> type.mediaType).collect(Collectors.joining(", ")));
    }

    /// What `target` becomes; an apply goes another way, because it has an owner.
    ObjectNode patched(KindMerge kind, ObjectNode target, JsonNode patch, ApiRequest request) {
        JsonNode result = result(kind, target, patch, request);
        if (result instanceof ObjectNode object) {
            RequestBody.dropNulls(object);
            return object;
        }
        throw StatusException.badRequest("the patch does not leave an object");
    }

    private JsonNode result(KindMerge kind, ObjectNode target, JsonNode patch, ApiRequest request) {
        try {
            return switch (this) {
                case JSON -> JsonPatch.apply(target, patch);
                case MERGE -> MergePatch.apply(target, patch);
                case STRATEGIC -> kind.strategic(target, patch).orElseThrow(() -> unsupported(request));
                case APPLY -> throw new IllegalStateException("an apply has an owner");
            };
        } catch (MergeException e) {
            throw StatusException.refused(e);
        }
    }
}
