package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.kinds.NamespaceRules;
import io.fairlead.kinds.PodRules;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.DeleteOptions;
import io.fairlead.objects.Evictions;
import io.fairlead.objects.KindMerges;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectParts;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.Scale;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.SuccessStatus;
import io.fairlead.objects.UpdatePart;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The parts of an object that are written under a path of their own, apart from its status: `scale`, `binding`,
/// `eviction`, `finalize` (K30).
final class Subresources {
    private final ObjectWrites writes;
    private final ObjectPatches patches;
    private final KindMerges merges;
    private final ObjectDeletes deletes;
    private final Evictions evictions;

    Subresources(ObjectParts objects, ObjectPatches patches) {
        this.writes = objects.writes();
        this.deletes = objects.deletes();
        this.evictions = objects.changes().evictions();
        this.merges = objects.merges();
        this.patches = patches;
    }

    Answer scale(ApiPath path) {
        return new Answer.Document(200, Scale.of(writes.find(path.kind(), path.key())));
    }

    Answer updateScale(ApiPath path, ApiRequest request) throws InterruptedException {
        ObjectNode body = request.object();
        return scaled(path, request, old -> Scale.apply(old, body));
    }

    Answer patchScale(ApiPath path, ApiRequest request) throws InterruptedException {
        PatchType type = PatchType.of(request);
        if (type == PatchType.APPLY) {
            byte[] config = Json.bytes(Scale.workload(path.kind(), path.name(), request.object()));
            ApiRequest whole = request.withBody(request.headers(), config);
            return new Answer.Document(
                    200, Scale.of(patches.patch(path, whole, UpdatePart.SPEC).object()));
        }
        JsonNode patch = request.parse();
        return scaled(
                path,
                request,
                old -> Scale.apply(old, type.patched(merges.of(Scale.KIND), Scale.of(old), patch.deepCopy(), request)));
    }

    private Answer scaled(ApiPath path, ApiRequest request, ObjectWrites.Edit edit) throws InterruptedException {
        Author author = request.author(path);
        return new Answer.Document(
                200, Scale.of(writes.update(path.kind(), path.key(), UpdatePart.SPEC, edit, author)));
    }

    /// Gives a pod its node, once.
    Answer bind(ApiPath path, ApiRequest request) throws InterruptedException {
        String node = Json.text(request.object(), "target", "name");
        if (node.isEmpty()) {
            throw StatusException.badRequest("target.name: Required value: the node the pod is bound to");
        }
        Author author = request.author(path);
        writes.update(path.kind(), path.key(), UpdatePart.ALL, pod -> bound(pod, node), author);
        return new Answer.Document(201, SuccessStatus.of());
    }

    private static ObjectNode bound(ApiObject pod, String node) {
        String other = Json.text(pod.tree(), "spec", "nodeName");
        if (!other.isEmpty()) {
            throw StatusException.conflict(
                    pod.kind(),
                    pod.key().name(),
                    "pod %s is already assigned to node \"%s\""
                            .formatted(pod.key().name(), other));
        }
        return PodRules.bound(pod.tree(), node);
    }

    /// Deletes a pod on behalf of an operator who empties its node, if the pods like it can spare it.
    Answer evict(ApiPath path, ApiRequest request) throws InterruptedException {
        JsonNode body = request.object();
        DeleteOptions options = request.deleteOptions(body.path("deleteOptions"));
        evictions.allow(writes.find(path.kind(), path.key()), options.dryRun());
        deletes.delete(path.kind(), path.key(), options);
        return new Answer.Document(201, SuccessStatus.of());
    }

    /// Takes the names of those who hold a namespace up out of its spec.
    ApiObject finalizeNamespace(ApiPath path, ApiRequest request) throws InterruptedException {
        ObjectNode body = request.object();
        ObjectBody.agree(body, path);
        return writes.update(
                path.kind(),
                path.key(),
                UpdatePart.ALL,
                old -> NamespaceRules.withFinalizers(old.tree(), body),
                request.author(path));
    }
}
