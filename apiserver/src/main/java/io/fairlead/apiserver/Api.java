package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.merge.JsonPatch;
import io.fairlead.merge.MergeException;
import io.fairlead.merge.MergePatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// From a request to its answer: finds out what the path points to, and does what the method asks of it.
final class Api {
    private static final String PATCH_TYPES = "application/json-patch+json, application/merge-patch+json";

    private final ObjectReads reads;
    private final ObjectWrites writes;
    private final ObjectDeletes deletes;
    private final KindTable kinds;

    Api(ObjectReads reads, ObjectWrites writes, ObjectDeletes deletes, KindTable kinds) {
        this.reads = reads;
        this.writes = writes;
        this.deletes = deletes;
        this.kinds = kinds;
    }

    Answer answer(ApiPath path, ApiRequest request) throws InterruptedException {
        if (!path.subresource().isEmpty()) {
            return onSubresource(path, request);
        }
        return path.isCollection() ? onCollection(path, request) : onObject(path, request);
    }

    private Answer onCollection(ApiPath path, ApiRequest request) throws InterruptedException {
        return switch (request.method()) {
            case "GET" -> request.isWatch() ? reads.watch(path, request) : reads.list(path, request);
            case "POST" -> create(path, request);
            case "DELETE" -> deleteCollection(path, request);
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private Answer onObject(ApiPath path, ApiRequest request) throws InterruptedException {
        return switch (request.method()) {
            case "GET" -> request.isWatch() ? reads.watch(path, request) : reads.get(path, request);
            case "PUT" -> update(path, request, UpdatePart.SPEC);
            case "PATCH" -> patch(path, request, UpdatePart.SPEC);
            case "DELETE" -> delete(path, request);
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private Answer onSubresource(ApiPath path, ApiRequest request) throws InterruptedException {
        if (!kinds.rules(path.kind()).subresources().contains(path.subresource())) {
            throw ApiException.noSuchPath();
        }
        return switch (path.subresource() + " " + request.method()) {
            case "status GET" -> reads.get(path, request);
            case "status PUT" -> update(path, request, UpdatePart.STATUS);
            case "status PATCH" -> patch(path, request, UpdatePart.STATUS);
            case "scale GET" -> new Answer.Document(200, Scale.of(writes.find(path.kind(), path.key())));
            case "scale PUT" -> scale(path, request, (scale, body) -> body);
            case "scale PATCH" -> scale(path, request, (scale, body) -> patched(scale, body, request.contentType()));
            case "binding POST" -> bind(path, request);
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private Answer create(ApiPath path, ApiRequest request) throws InterruptedException {
        if (path.kind().namespaced() && path.namespace().isEmpty()) {
            throw ApiException.methodNotAllowed();
        }
        return create(path.kind(), ObjectBody.read(request, path), request.isDryRun());
    }

    private Answer create(Kind kind, ObjectNode object, boolean dryRun) throws InterruptedException {
        ApiObject created = writes.create(kind, object, dryRun);
        KindRules rules = kinds.rules(kind);
        return new Answer.One(201, rules, created, rules.warnings(created.tree()));
    }

    private Answer update(ApiPath path, ApiRequest request, UpdatePart part) throws InterruptedException {
        ObjectNode body = ObjectBody.read(request, path);
        boolean absent = part == UpdatePart.SPEC
                && kinds.rules(path.kind()).createsOnUpdate()
                && !writes.exists(path.kind(), path.key());
        if (absent) {
            return create(path.kind(), body, request.isDryRun());
        }
        return updated(writes.update(path.kind(), path.key(), part, old -> body.deepCopy(), request.isDryRun()));
    }

    private Answer patch(ApiPath path, ApiRequest request, UpdatePart part) throws InterruptedException {
        String type = patchType(request);
        JsonNode patch = request.parse();
        ObjectWrites.Edit edit = old -> {
            ObjectNode patched = patched(old.copy(), patch, type);
            ObjectBody.agree(patched, path);
            return patched;
        };
        return updated(writes.update(path.kind(), path.key(), part, edit, request.isDryRun()));
    }

    private Answer updated(ApiObject object) {
        KindRules rules = kinds.rules(object.kind());
        return new Answer.One(200, rules, object, rules.warnings(object.tree()));
    }

    private static String patchType(ApiRequest request) {
        return switch (request.contentType()) {
            case "application/merge-patch+json", "application/json-patch+json" -> request.contentType();
            default -> throw request.unsupportedMediaType(PATCH_TYPES);
        };
    }

    private static ObjectNode patched(ObjectNode target, JsonNode patch, String type) {
        JsonNode result = merged(target, patch, type);
        if (result instanceof ObjectNode object) {
            ApiRequest.dropNulls(object);
            return object;
        }
        throw ApiException.badRequest("the patch does not leave an object");
    }

    private static JsonNode merged(ObjectNode target, JsonNode patch, String type) {
        try {
            return type.equals("application/json-patch+json")
                    ? JsonPatch.apply(target, patch)
                    : MergePatch.apply(target, patch);
        } catch (MergeException e) {
            throw ApiException.refused(e);
        }
    }

    private Answer delete(ApiPath path, ApiRequest request) throws InterruptedException {
        KindRules rules = kinds.rules(path.kind());
        ObjectDeletes.Deleted deleted = deletes.delete(path.kind(), path.key(), DeleteOptions.of(request));
        return deleted.gone() && !rules.answersDeletedObject()
                ? new Answer.Document(200, success(deleted.object()))
                : Answer.ok(rules, deleted.object());
    }

    private Answer deleteCollection(ApiPath path, ApiRequest request) throws InterruptedException {
        if (path.kind().namespaced() && path.namespace().isEmpty()) {
            throw ApiException.methodNotAllowed();
        }
        DeleteOptions options = DeleteOptions.of(request);
        List<ApiObject> deleted = new ArrayList<>();
        for (ApiObject object : reads.selected(path, request)) {
            deletes.deleteIfPresent(object.kind(), object.key(), options).ifPresent(deleted::add);
        }
        return new Answer.Many(kinds.rules(path.kind()), new KindCache.Listing(deleted, reads.revision()));
    }

    private Answer scale(ApiPath path, ApiRequest request, Scale.Change change) throws InterruptedException {
        if (request.method().equals("PATCH")) {
            patchType(request);
        }
        JsonNode body = request.parse();
        ObjectWrites.Edit edit = old -> Scale.apply(old, change.apply(Scale.of(old), body));
        return new Answer.Document(
                200, Scale.of(writes.update(path.kind(), path.key(), UpdatePart.SPEC, edit, request.isDryRun())));
    }

    /// Gives a pod its node, once (K30).
    private Answer bind(ApiPath path, ApiRequest request) throws InterruptedException {
        String node = Json.text(request.object(), "target", "name");
        if (node.isEmpty()) {
            throw ApiException.badRequest("target.name: Required value: the node the pod is bound to");
        }
        writes.update(path.kind(), path.key(), UpdatePart.ALL, pod -> PodRules.bound(pod, node), request.isDryRun());
        return new Answer.Document(201, success());
    }

    private static ObjectNode success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", 200);
    }

    private static ObjectNode success(ApiObject object) {
        ObjectNode status = success();
        ObjectNode details =
                status.putObject("details").put("name", object.key().name());
        Optional.of(object.kind().group()).filter(group -> !group.isEmpty()).ifPresent(g -> details.put("group", g));
        details.put("kind", object.kind().plural()).put("uid", object.uid());
        return status;
    }
}
