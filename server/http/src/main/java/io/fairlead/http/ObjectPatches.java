package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.merge.Applied;
import io.fairlead.merge.MergeException;
import io.fairlead.merge.ServerSideApply;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.KindMerges;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.UpdatePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Changes objects by patches of every type; an apply may also create one (K24).
final class ObjectPatches {
    private static final int MOST_ATTEMPTS = 4;

    private final ObjectWrites writes;
    private final KindTable kinds;
    private final KindMerges merges;
    private final Stamp stamp;

    ObjectPatches(ObjectWrites writes, KindTable kinds, KindMerges merges, Stamp stamp) {
        this.writes = writes;
        this.kinds = kinds;
        this.merges = merges;
        this.stamp = stamp;
    }

    /// The object after the patch, what its sender should know, and whether it is new.
    record Patched(ApiObject object, List<String> warnings, boolean created) {}

    Patched patch(ApiPath path, ApiRequest request, UpdatePart part) throws InterruptedException {
        PatchType type = PatchType.of(request);
        RequestBody body = RequestBody.of(request);
        if (type == PatchType.APPLY) {
            return apply(path, request, part, body);
        }
        if (request.query().containsKey("force")) {
            throw invalidOption(Problem.forbidden("force", "may not be specified for non-apply patch"));
        }
        List<String> unknown = new ArrayList<>();
        ObjectWrites.Edit edit = old -> {
            ObjectNode patched =
                    type.patched(merges.of(path.kind()), old.copy(), body.tree().deepCopy(), request);
            Optional<String> wrong = merges.wrongType(path.kind(), patched);
            if (wrong.isPresent() && merges.wrongType(path.kind(), old.tree()).isEmpty()) {
                throw StatusException.patchLeavesNoObject(wrong.get());
            }
            ObjectBody.agree(patched, path);
            unknown.clear();
            unknown.addAll(merges.unknownFields(path.kind(), patched));
            unknown.removeAll(merges.unknownFields(path.kind(), old.tree()));
            warnings(path.kind(), request, body, unknown);
            return patched;
        };
        ApiObject object = writes.update(path.kind(), path.key(), part, edit, request.author(path));
        return new Patched(object, warnings(path.kind(), request, body, unknown), false);
    }

    /// What to tell the sender of a body about fields that no object of the kind has, or that stand there twice.
    List<String> fieldWarnings(Kind kind, ApiRequest request, RequestBody body, ObjectNode object) {
        return warnings(kind, request, body, merges.unknownFields(kind, object));
    }

    private static List<String> warnings(Kind kind, ApiRequest request, RequestBody body, List<String> unknown) {
        List<String> complaints = new ArrayList<>(unknown);
        complaints.addAll(body.duplicates());
        return FieldPolicy.of(request).warnings(kind.apiVersion(), kind.name(), complaints);
    }

    private Patched apply(ApiPath path, ApiRequest request, UpdatePart part, RequestBody body)
            throws InterruptedException {
        if (request.query("fieldManager").isEmpty()) {
            throw invalidOption(Problem.required("fieldManager", "is required for apply patch"));
        }
        ObjectNode config = config(path, body, part);
        List<String> warnings = fieldWarnings(path.kind(), request, body, config);
        Author author = request.author(path).applying();
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            if (!writes.isAbsent(path.kind(), path.key()) || part != UpdatePart.SPEC) {
                ObjectWrites.Edit edit = old -> applied(path, old.copy(), config, request, author);
                return new Patched(writes.update(path.kind(), path.key(), part, edit, author), warnings, false);
            }
            author.guard().ifPresent(guard -> guard.checkCreate(path.kind(), path.key()));
            try {
                return new Patched(create(path, config, request, author), warnings, true);
            } catch (StatusException e) {
                // Another client was faster: we apply to what is there now.
                if (!e.isAlreadyExists()) {
                    throw e;
                }
            }
        }
        throw StatusException.modified(path.kind(), path.name());
    }

    /// What is applied, without the part that cannot be changed here.
    private ObjectNode config(ApiPath path, RequestBody body, UpdatePart part) {
        ObjectNode config = body.object();
        for (String field : List.of("apiVersion", "kind")) {
            if (Json.text(config, field).isEmpty()) {
                throw StatusException.badRequest("an applied object must say its " + field);
            }
        }
        ObjectBody.agree(config, path);
        if (part == UpdatePart.STATUS) {
            config.retain("apiVersion", "kind", "metadata", "status");
        } else if (kinds.rules(path.kind()).subresources().contains("status")) {
            config.remove("status");
        }
        return config;
    }

    private ApiObject create(ApiPath path, ObjectNode config, ApiRequest request, Author author)
            throws InterruptedException {
        String uid = Json.text(config, "metadata", "uid");
        if (!uid.isEmpty()) {
            throw StatusException.conflict(
                    path.kind(),
                    path.name(),
                    "uid mismatch: the provided object specified uid %s, and no existing object was found"
                            .formatted(uid));
        }
        return writes.create(path.kind(), applied(path, Json.object(), config, request, author), author);
    }

    private ObjectNode applied(ApiPath path, ObjectNode live, ObjectNode config, ApiRequest request, Author author) {
        ServerSideApply.Request apply =
                new ServerSideApply.Request(author.owner(path.kind()), request.flag("force"), stamp.timestamp(0));
        try {
            return switch (merges.of(path.kind()).apply(live, config, apply)) {
                case Applied.Done(ObjectNode object) -> object;
                case Applied.Refused refused -> throw StatusException.applyConflict(refused);
            };
        } catch (MergeException e) {
            throw StatusException.refused(e);
        }
    }

    private static StatusException invalidOption(Problem problem) {
        return StatusException.invalidOption("PatchOptions", problem);
    }
}
