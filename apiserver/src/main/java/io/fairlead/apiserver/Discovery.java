package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the server tells clients about itself: which groups it has, which kinds are in them, which version it is (K1).
final class Discovery {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private final KindTable kinds;

    Discovery(KindTable kinds) {
        this.kinds = kinds;
    }

    /// The document at a path, if there is one.
    Optional<ObjectNode> find(String path) {
        String bare = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return switch (bare) {
            case "/" -> Optional.of(paths());
            case "/api" -> Optional.of(coreVersions());
            case "/apis" -> Optional.of(groups());
            case "/version" -> Optional.of(version());
            default -> findGroupOrResources(bare);
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
        groupNames().forEach(group -> paths.add("/apis/" + group).add("/apis/" + group + "/" + versionOf(group)));
        List.of("/healthz", "/livez", "/metrics", "/readyz", "/version").forEach(paths::add);
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
        String version = versionOf(name);
        group.putArray("versions").add(groupVersion(name, version));
        group.set("preferredVersion", groupVersion(name, version));
        return group;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private SortedSet<String> groupNames() {
        SortedSet<String> names = new TreeSet<>();
        kinds.all().forEach(row -> names.add(row.kind().group()));
        names.remove("");
        return names;
    }

    private String versionOf(String group) {
        return kinds.all().stream()
                .map(KindRules::kind)
                .filter(kind -> kind.group().equals(group))
                .map(Kind::version)
                .findFirst()
                .orElseThrow();
    }

    private Optional<ObjectNode> findResources(String group, String version) {
        List<KindRules> rows = kinds.all().stream()
                .filter(row ->
                        row.kind().group().equals(group) && row.kind().version().equals(version))
                .toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", rows.getFirst().kind().apiVersion());
        ArrayNode resources = list.putArray("resources");
        rows.forEach(row -> addResources(resources, row));
        return Optional.of(list);
    }

    private static void addResources(ArrayNode resources, KindRules row) {
        Kind kind = row.kind();
        ObjectNode resource = resources
                .addObject()
                .put("name", kind.plural())
                .put("singularName", kind.singular())
                .put("namespaced", kind.namespaced())
                .put("kind", kind.name());
        VERBS.forEach(resource.putArray("verbs")::add);
        addUnlessEmpty(resource, "shortNames", kind.shortNames());
        addUnlessEmpty(resource, "categories", row.categories());
        row.subresources().stream().sorted().forEach(name -> addSubresource(resources, kind, name));
    }

    private static void addUnlessEmpty(ObjectNode resource, String field, List<String> words) {
        if (!words.isEmpty()) {
            words.forEach(resource.putArray(field)::add);
        }
    }

    private static void addSubresource(ArrayNode resources, Kind kind, String name) {
        ObjectNode resource = resources
                .addObject()
                .put("name", kind.plural() + "/" + name)
                .put("singularName", "")
                .put("namespaced", kind.namespaced());
        switch (name) {
            case "scale" ->
                resource.put("group", "autoscaling").put("version", "v1").put("kind", "Scale");
            case "binding" -> resource.put("kind", "Binding");
            default -> resource.put("kind", kind.name());
        }
        List<String> verbs = name.equals("binding") ? List.of("create") : List.of("get", "patch", "update");
        verbs.forEach(resource.putArray("verbs")::add);
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
