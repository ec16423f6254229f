package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.objects.StatusException;
import io.fairlead.schema.ApiResource;
import io.fairlead.schema.OpenApi;
import io.fairlead.schema.Schemas;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The documents of OpenAPI, which `kubectl` explains, validates and applies with (K3, K4).
///
/// Each is made when a client first asks for it, and then kept: they change only with the server itself.
final class OpenApiPages {
    private static final String V2 = "/openapi/v2";
    private static final String V3 = "/openapi/v3";
    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    // Older clients write the name of the type with a sign that a media type may not have.
    private static final String OLD_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    private static final List<String> JSON = List.of("", "*/*", "application/*", "application/json");

    private final List<ServedKind> kinds;
    private final Map<String, Answer.Page> pages = new ConcurrentHashMap<>();

    OpenApiPages(List<ServedKind> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    private List<ApiResource> resources() {
        return kinds.stream()
                .filter(OpenApiPages::isTold)
                .map(OpenApiPages::resource)
                .toList();
    }

    private static boolean isTold(ServedKind served) {
        return Schemas.builtIn()
                .find(served.kind().apiVersion(), served.kind().name())
                .isPresent();
    }

    private static ApiResource resource(ServedKind served) {
        List<ApiResource.Part> parts = served.parts().stream()
                .map(part -> new ApiResource.Part(part.name(), part.kind(), part.verbs()))
                .toList();
        return new ApiResource(served.kind(), served.verbs(), parts);
    }

    /// The document at the path of a request, in a form that the client can read.
    Optional<Answer> find(ApiRequest request) {
        String path = request.path();
        boolean known = path.equals(V2) || path.equals(V3) || root(path).isPresent();
        return known ? Optional.of(page(path, form(request, path))) : Optional.empty();
    }

    private Optional<String> root(String path) {
        if (!path.startsWith(V3 + "/")) {
            return Optional.empty();
        }
        Set<String> roots = OpenApi.v3Roots(resources());
        return Optional.of(path.substring(V3.length() + 1)).filter(roots::contains);
    }

    private static String form(ApiRequest request, String path) {
        return Stream.of(request.headers().getOrDefault("accept", "").split(","))
                .map(range -> range.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .flatMap(type -> form(type, path).stream())
                .findFirst()
                .orElseThrow(() -> StatusException.of(
                        406,
                        "NotAcceptable",
                        "only the following media types are accepted: application/json"
                                + (path.equals(V2) ? ", " + PROTOBUF : "")));
    }

    private static Optional<String> form(String type, String path) {
        if (path.equals(V2) && (type.equals(PROTOBUF) || type.equals(OLD_PROTOBUF))) {
            return Optional.of(PROTOBUF);
        }
        return JSON.contains(type) ? Optional.of(Representation.JSON_TYPE) : Optional.empty();
    }

    // Not computeIfAbsent: the index asks for the other pages while it is being made.
    private Answer.Page page(String path, String form) {
        String key = form + " " + path;
        Answer.Page kept = pages.get(key);
        if (kept != null) {
            return kept;
        }
        Answer.Page made = Answer.Page.of(form, body(path, form));
        pages.put(key, made);
        return made;
    }

    private byte[] body(String path, String form) {
        return switch (path) {
            case V2 ->
                form.equals(PROTOBUF)
                        ? OpenApi.v2Protobuf(OpenApi.v2(resources()))
                        : Json.bytes(OpenApi.v2(resources()));
            case V3 ->
                Json.bytes(OpenApi.v3Index(
                        resources(),
                        root -> page(V3 + "/" + root, Representation.JSON_TYPE)
                                .tag()
                                .replace("\"", "")));
            default -> Json.bytes(OpenApi.v3Document(resources(), path.substring(V3.length() + 1)));
        };
    }
}
