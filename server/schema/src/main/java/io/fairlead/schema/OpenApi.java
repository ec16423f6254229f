package io.fairlead.schema;

import io.fairlead.api.Json;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// The documents that tell clients of the kinds of a server, and how to call it.
public final class OpenApi {
    private static final String V2_REFS = "#/definitions/";
    private static final String V3_REFS = "#/components/schemas/";

    private OpenApi() {}

    /// The one document of OpenAPI 2.
    public static ObjectNode v2(Collection<ApiResource> resources) {
        OpenApiSchemas schemas = new OpenApiSchemas(V2_REFS);
        ObjectNode document = Json.object().put("swagger", "2.0");
        document.set("info", about());
        document.set("paths", new OpenApiPaths(schemas).of(resources));
        document.set("definitions", new OpenApiDefinitions(schemas).of(resources));
        return document;
    }

    /// The same document as protobuf (`application/com.github.proto-openapi.spec.v2.v1.0+protobuf`).
    public static byte[] v2Protobuf(ObjectNode document) {
        return GnosticWriter.document(document).toBytes();
    }

    /// The groups and versions that have a document of OpenAPI 3: `api/v1`, `apis/apps/v1`.
    public static SortedSet<String> v3Roots(Collection<ApiResource> resources) {
        SortedSet<String> roots = new TreeSet<>();
        resources.forEach(resource -> roots.add(resource.root()));
        return roots;
    }

    /// The list of documents of OpenAPI 3; `hash` gives for a root what tells its versions apart.
    public static ObjectNode v3Index(Collection<ApiResource> resources, Function<String, String> hash) {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        v3Roots(resources)
                .forEach(root -> paths.putObject(root)
                        .put("serverRelativeURL", "/openapi/v3/%s?hash=%s".formatted(root, hash.apply(root))));
        return index;
    }

    /// The document of one group and version.
    public static ObjectNode v3Document(Collection<ApiResource> resources, String root) {
        List<ApiResource> own = resources.stream()
                .filter(resource -> resource.root().equals(root))
                .toList();
        OpenApiSchemas schemas = new OpenApiSchemas(V3_REFS);
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.set("info", about());
        document.set("paths", OpenApiV3.paths(new OpenApiPaths(schemas).of(own)));
        document.putObject("components").set("schemas", OpenApiV3.schemas(new OpenApiDefinitions(schemas).of(own)));
        return document;
    }

    private static ObjectNode about() {
        return Json.object().put("title", "Fairlead").put("version", "v1.36.0");
    }
}
