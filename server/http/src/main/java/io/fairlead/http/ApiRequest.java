package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import io.fairlead.merge.FieldOwner.Operation;
import io.fairlead.objects.Author;
import io.fairlead.objects.DeleteOptions;
import io.fairlead.objects.RoleGuard;
import io.fairlead.objects.StatusException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A request, apart from how it came over the wire; `body` gives the bytes, or says why they are refused, and
/// `target` is what the path points to; `queryText` is the query as it came, with what it says twice; `guard` keeps its
/// sender from giving away rights that it does not have.
record ApiRequest(
        String method,
        String path,
        Map<String, String> query,
        String queryText,
        Map<String, String> headers,
        Supplier<byte[]> body,
        Optional<ApiPath> target,
        Optional<RoleGuard> guard) {
    private static final int LONGEST_MANAGER = 128;
    private static final Pattern END_OF_WORD = Pattern.compile("[/ ]");

    ApiRequest(
            String method, String path, Map<String, String> query, Map<String, String> headers, Supplier<byte[]> body) {
        this(method, path, query, "", headers, body, ApiPath.find(path), Optional.empty());
    }

    /// The request in the one form that the rest of the server knows: a HEAD is a GET of which only the head is sent
    /// back (so a watch would never end), and a path with `/watch/` is a watch.
    static ApiRequest usual(
            String method,
            String path,
            Map<String, String> query,
            String queryText,
            Map<String, String> headers,
            Supplier<byte[]> body) {
        boolean head = method.equals("HEAD");
        Optional<String> watched = ApiPath.findWatched(path);
        Map<String, String> fields = new HashMap<>(query);
        if (head) {
            fields.remove("watch");
        }
        if (watched.isPresent()) {
            fields.put("watch", "true");
        }
        String found = watched.orElse(path);
        return new ApiRequest(
                head ? "GET" : method, found, fields, queryText, headers, body, ApiPath.find(found), Optional.empty());
    }

    ApiRequest withQuery(Map<String, String> fields) {
        return new ApiRequest(method, path, fields, queryText, headers, body, target, guard);
    }

    ApiRequest withBody(Map<String, String> fields, byte[] bytes) {
        return new ApiRequest(method, path, query, queryText, fields, () -> bytes, target, guard);
    }

    ApiRequest guardedBy(RoleGuard roles) {
        return new ApiRequest(method, path, query, queryText, headers, body, target, Optional.of(roles));
    }

    String query(String name) {
        return query.getOrDefault(name, "");
    }

    boolean flag(String name) {
        String value = query(name);
        return value.equals("true") || value.equals("1");
    }

    boolean isWatch() {
        return flag("watch");
    }

    Representation representation() {
        return Representation.of(headers.getOrDefault("accept", ""));
    }

    /// True if a document that is no object should be in YAML: what else was asked for, it is JSON.
    boolean wantsYaml() {
        return headers.getOrDefault("accept", "").startsWith(Representation.YAML_TYPE);
    }

    /// The media type of the body, without parameters; empty where none is given.
    String contentType() {
        String type = headers.getOrDefault("content-type", "");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /// True if the request is to be checked and answered, but not done (K26).
    boolean isDryRun() {
        String value = query("dryRun");
        if (!value.isEmpty() && !value.equals("All")) {
            throw StatusException.invalidOption(options(), Problem.notSupported("dryRun", value, "\"All\""));
        }
        return !value.isEmpty();
    }

    /// The author of what the request writes: as the client names itself, or else the first word of what its program
    /// calls itself.
    Author author(ApiPath on) {
        String given = query("fieldManager");
        if (given.length() > LONGEST_MANAGER) {
            throw StatusException.invalidOption(
                    options(),
                    Problem.invalid("fieldManager", given, "may not be more than %d bytes".formatted(LONGEST_MANAGER)));
        }
        String name = given.isEmpty() ? program() : given;
        return new Author(name, Operation.UPDATE, on.subresource(), isDryRun(), guard);
    }

    private String program() {
        String word = END_OF_WORD.split(headers.getOrDefault("user-agent", ""), 2)[0];
        return word.isEmpty() ? "unknown" : word.substring(0, Math.min(word.length(), LONGEST_MANAGER));
    }

    /// How a DELETE is to be done: as its body says, or its query where the body does not.
    DeleteOptions deleteOptions() {
        return deleteOptions(objectOrEmpty());
    }

    /// The same, where the options are a part of the body.
    DeleteOptions deleteOptions(JsonNode given) {
        return DeleteOptions.of(given, this::query, isDryRun());
    }

    /// The revision that a parameter names; zero where it is absent.
    Revision revision(String name) {
        String text = query(name);
        if (text.isEmpty()) {
            return Revision.ZERO;
        }
        try {
            return new Revision(Long.parseLong(text));
        } catch (IllegalArgumentException e) {
            throw StatusException.badRequest("%s: Invalid value: \"%s\": must be a whole number".formatted(name, text));
        }
    }

    /// What the API calls the parameters of a request like this one.
    String options() {
        return switch (method) {
            case "POST" -> "CreateOptions";
            case "PUT" -> "UpdateOptions";
            case "PATCH" -> "PatchOptions";
            case "DELETE" -> "DeleteOptions";
            default -> "ListOptions";
        };
    }

    /// The object in the body, without the fields that are null: they mean the same as absent ones.
    ObjectNode object() {
        return RequestBody.of(this).object();
    }

    /// The body of a request that may come without one, such as a DELETE.
    ObjectNode objectOrEmpty() {
        return body.get().length == 0 ? Json.object() : object();
    }

    /// The body as it stands; a patch may be a list, and its nulls mean something.
    JsonNode parse() {
        return RequestBody.of(this).tree();
    }

    StatusException unsupportedMediaType(String supported) {
        return StatusException.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format: '%s'; accepted media types are: %s"
                        .formatted(contentType(), supported));
    }
}
