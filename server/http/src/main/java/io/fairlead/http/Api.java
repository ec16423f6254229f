package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.PodSecurityAdmission;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.DeleteOptions;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectParts;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.SuccessStatus;
import io.fairlead.objects.UpdatePart;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// From a request to its answer: finds out what the path points to, and does what the method asks of it.
final class Api {
    private static final Logger LOG = LoggerFactory.getLogger(Api.class);

    private final ObjectReads reads;
    private final ObjectWrites writes;
    private final ObjectDeletes deletes;
    private final KindTable kinds;
    private final ObjectPatches patches;
    private final Subresources parts;

    Api(ObjectParts objects) {
        this.reads = new ObjectReads(objects.cache(), objects.kinds(), objects.stamp());
        this.writes = objects.writes();
        this.deletes = objects.deletes();
        this.kinds = objects.kinds();
        this.patches = new ObjectPatches(writes, kinds, objects.merges(), objects.stamp());
        this.parts = new Subresources(objects, patches);
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
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private Answer onObject(ApiPath path, ApiRequest request) throws InterruptedException {
        return switch (request.method()) {
            case "GET" -> request.isWatch() ? reads.watch(path, request) : reads.get(path, request);
            case "PUT" -> update(path, request, UpdatePart.SPEC);
            case "PATCH" -> patch(path, request, UpdatePart.SPEC);
            case "DELETE" -> delete(path, request);
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private Answer onSubresource(ApiPath path, ApiRequest request) throws InterruptedException {
        if (!kinds.rules(path.kind()).subresources().contains(path.subresource())) {
            throw StatusException.noSuchPath();
        }
        return switch (path.subresource() + " " + request.method()) {
            case "status GET", "ephemeralcontainers GET" -> reads.get(path, request);
            case "ephemeralcontainers PUT" -> update(path, request, UpdatePart.EPHEMERAL_CONTAINERS);
            case "ephemeralcontainers PATCH" -> patch(path, request, UpdatePart.EPHEMERAL_CONTAINERS);
            case "status PUT" -> update(path, request, UpdatePart.STATUS);
            case "status PATCH" -> patch(path, request, UpdatePart.STATUS);
            case "scale GET" -> parts.scale(path);
            case "scale PUT" -> parts.updateScale(path, request);
            case "scale PATCH" -> parts.patchScale(path, request);
            case "binding POST" -> parts.bind(path, request);
            case "eviction POST" -> parts.evict(path, request);
            case "finalize PUT" -> one(200, parts.finalizeNamespace(path, request), List.of());
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private Answer create(ApiPath path, ApiRequest request) throws InterruptedException {
        if (path.kind().namespaced() && path.namespace().isEmpty()) {
            throw StatusException.methodNotAllowed();
        }
        RequestBody body = RequestBody.of(request);
        return create(path, request, body, object(path, body));
    }

    private Answer create(ApiPath path, ApiRequest request, RequestBody body, ObjectNode object)
            throws InterruptedException {
        List<String> warnings = patches.fieldWarnings(path.kind(), request, body, object);
        return secured(path, one(201, writes.create(path.kind(), object, request.author(path)), warnings));
    }

    private Answer update(ApiPath path, ApiRequest request, UpdatePart part) throws InterruptedException {
        RequestBody body = RequestBody.of(request);
        ObjectNode object = object(path, body);
        boolean absent = part == UpdatePart.SPEC
                && kinds.rules(path.kind()).createsOnUpdate()
                && writes.isAbsent(path.kind(), path.key());
        if (absent) {
            request.author(path).guard().ifPresent(guard -> guard.checkCreate(path.kind(), path.key()));
            return create(path, request, body, object);
        }
        List<String> warnings = patches.fieldWarnings(path.kind(), request, body, object);
        Author author = request.author(path);
        return secured(
                path,
                one(200, writes.update(path.kind(), path.key(), part, old -> object.deepCopy(), author), warnings));
    }

    private static ObjectNode object(ApiPath path, RequestBody body) {
        ObjectNode object = body.object();
        ObjectBody.agree(object, path);
        return object;
    }

    private Answer patch(ApiPath path, ApiRequest request, UpdatePart part) throws InterruptedException {
        ObjectPatches.Patched patched = patches.patch(path, request, part);
        return secured(path, one(patched.created() ? 201 : 200, patched.object(), patched.warnings()));
    }

    /// With what the namespace's security policy says of pods that come, and of templates of pods.
    private Answer.One secured(ApiPath path, Answer.One answer) {
        boolean isPod = path.kind().equals(Kind.POD);
        boolean comes = answer.code() == 201 || path.subresource().equals("ephemeralcontainers");
        if (!PodSecurityAdmission.concerns(path.kind())
                || (isPod ? !comes : !path.subresource().isEmpty())) {
            return answer;
        }
        JsonNode object = answer.object().tree();
        JsonNode namespace = writes.find(Kind.NAMESPACE, new NamespacedName("", path.namespace()))
                .tree();
        kinds.podSecurity()
                .note(path.kind(), object, namespace)
                .ifPresent(note -> LOG.info(
                        "event=pod-security-audit kind={} object={} reason=\"{}\"",
                        path.kind().name(),
                        answer.object().key(),
                        note));
        List<String> warnings = new ArrayList<>(answer.warnings());
        warnings.addAll(kinds.podSecurity().warnings(path.kind(), object, namespace));
        return new Answer.One(answer.code(), answer.rules(), answer.object(), warnings);
    }

    /// An object as the answer, with what its sender should know besides `warnings`.
    private Answer.One one(int code, ApiObject object, List<String> warnings) {
        KindRules rules = kinds.rules(object.kind());
        List<String> all = new ArrayList<>(warnings);
        all.addAll(rules.warnings(object.tree()));
        return new Answer.One(code, rules, object, all);
    }

    private Answer delete(ApiPath path, ApiRequest request) throws InterruptedException {
        KindRules rules = kinds.rules(path.kind());
        ObjectDeletes.Deleted deleted = deletes.delete(path.kind(), path.key(), request.deleteOptions());
        return deleted.gone() && !rules.answersDeletedObject()
                ? new Answer.Document(200, SuccessStatus.of(deleted.object()))
                : Answer.ok(rules, deleted.object());
    }

    private Answer deleteCollection(ApiPath path, ApiRequest request) throws InterruptedException {
        boolean everywhere = path.kind().namespaced() && path.namespace().isEmpty();
        if (everywhere || !kinds.rules(path.kind()).deletesCollections()) {
            throw StatusException.methodNotAllowed();
        }
        DeleteOptions options = request.deleteOptions();
        List<ApiObject> deleted = new ArrayList<>();
        for (ApiObject object : reads.selected(path, request)) {
            deletes.deleteIfPresent(object.kind(), object.key(), options).ifPresent(deleted::add);
        }
        return new Answer.Many(kinds.rules(path.kind()), new KindCache.Listing(deleted, reads.revision()));
    }
}
