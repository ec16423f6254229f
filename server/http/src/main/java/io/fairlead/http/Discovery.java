package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.KindTable;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the server tells clients about itself: which groups it has, which kinds are in them, which version it is (K1).
final class Discovery {
    private final List<ServedKind> kinds;
    private final AggregatedDiscovery aggregated;
    private final OpenApiPages openApi;

    Discovery(KindTable table) {
        this.kinds = ServedKind.all(table);
        this.aggregated = new AggregatedDiscovery(this);
        this.openApi = new OpenApiPages(kinds);
    }

    /// The document at the path of a request, if there is one.
    Optional<Answer> find(ApiRequest request) {
        String path = request.path();
        String bare = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return aggregated
                .find(bare, request.headers().getOrDefault("accept", ""))
                .or(() -> openApi.find(request))
                .or(() -> findDocument(bare).map(json -> Answer.Page.of(Representation.JSON_TYPE, Json.bytes(json))));
    }

    private Optional<ObjectNode> findDocument(String path) {
        return switch (path) {
            case "/" -> Optional.of(paths());
            case "/api" -> Optional.of(coreVersions());
            case "/apis" -> Optional.of(groups());
            case "/version" -> Optional.of(version());
            default -> findGroupOrResources(path);
        };
    }

    private Optional<ObjectNode> findGroupOrResources(String path) {
        String[] parts = path.split("/", -1);
        if (parts.length == 3 && parts[1].equals("api")) {
            return findResources("", parts[2]);
        } else if (parts.length == 4 && parts[1].equals("apis")) {
            return findResources(parts[2], parts[3]);
        } else if (parts.length == 3 && parts[1].equals("apis")) {
            return groupNames().contains(parts[2])
                    ? Optional.of(group(parts[2]).put("kind", "APIGroup").put("apiVersion", "v1"))
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private ObjectNode paths() {
        ObjectNode root = Json.object();
        ArrayNode paths = root.putArray("paths");
        List.of("/api", "/api/v1", "/apis").forEach(paths::add);
        for (String group : groupNames()) {
            paths.add("/apis/" + group);
            versions(group).forEach(version -> paths.add("/apis/" + group + "/" + version));
        }
        List.of("/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/readyz", "/version")
                .forEach(paths::add);
        return root;
    }

    private static ObjectNode coreVersions() {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    private ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        groupNames().forEach(name -> groups.add(group(name)));
        return list;
    }

    private ObjectNode group(String name) {
        ObjectNode group = Json.object().put("name", name);
        ArrayNode versions = group.putArray("versions");
        versions(name).forEach(version -> versions.add(groupVersion(name, version)));
        group.set("preferredVersion", groupVersion(name, versions(name).getFirst()));
        return group;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    /// The named groups; the core group has no name.
    SortedSet<String> groupNames() {
        SortedSet<String> names = new TreeSet<>();
        kinds.forEach(served -> names.add(served.kind().group()));
        names.remove("");
        return names;
    }

    /// The versions of a group, the best first: a release before its betas, a later beta before an earlier.
    List<String> versions(String group) {
        return kinds.stream()
                .map(ServedKind::kind)
                .filter(kind -> kind.group().equals(group))
                .map(Kind::version)
                .distinct()
                .sorted((a, b) -> a.length() == b.length() ? b.compareTo(a) : Integer.compare(a.length(), b.length()))
                .toList();
    }

    List<ServedKind> kinds(String group, String version) {
        return kinds.stream()
                .filter(served -> served.kind().group().equals(group)
                        && served.kind().version().equals(version))
                .toList();
    }

    private Optional<ObjectNode> findResources(String group, String version) {
        List<ServedKind> rows = kinds(group, version);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", rows.getFirst().kind().apiVersion());
        ArrayNode resources = list.putArray("resources");
        rows.forEach(row -> addResources(resources, row));
        return Optional.of(list);
    }

    private static void addResources(ArrayNode resources, ServedKind served) {
        Kind kind = served.kind();
        ObjectNode resource = resources
                .addObject()
                .put("name", kind.plural())
                .put("singularName", kind.singular())
                .put("namespaced", kind.namespaced())
                .put("kind", kind.name());
        served.verbs().forEach(resource.putArray("verbs")::add);
        addUnlessEmpty(resource, "shortNames", kind.shortNames());
        addUnlessEmpty(resource, "categories", served.categories());
        served.parts().forEach(part -> addPart(resources, kind, part));
    }

    static void addUnlessEmpty(ObjectNode resource, String field, List<String> words) {
        if (!words.isEmpty()) {
            words.forEach(resource.putArray(field)::add);
        }
    }

    private static void addPart(ArrayNode resources, Kind kind, ServedKind.Part part) {
        ObjectNode resource = resources
                .addObject()
                .put("name", kind.plural() + "/" + part.name())
                .put("singularName", "")
                .put("namespaced", kind.namespaced());
        if (!part.kind().apiVersion().equals(kind.apiVersion())) {
            resource.put("group", part.kind().group())
                    .put("version", part.kind().version());
        }
        resource.put("kind", part.kind().name());
        part.verbs().forEach(resource.putArray("verbs")::add);
    }

    private static ObjectNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "36")
                .put("gitVersion", "v1.36.0+fairlead")
                .put("gitTreeState", "clean")
                .put("compiler", "javac")
                .put("goVersion", "none")
                .put("platform", "linux/" + (System.getProperty("os.arch", "").equals("aarch64") ? "arm64" : "amd64"));
    }
}
