package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The whole of discovery in two documents, for the clients that know that form (K2).
final class AggregatedDiscovery {
    private static final List<String> VERSIONS = List.of("v2", "v2beta1");

    private final Discovery discovery;

    AggregatedDiscovery(Discovery discovery) {
        this.discovery = discovery;
    }

    /// The document at a path, where there is one and the client would rather have it than the plain one.
    Optional<Answer> find(String path, String accept) {
        if (!path.equals("/api") && !path.equals("/apis")) {
            return Optional.empty();
        }
        return Stream.of(accept.split(","))
                .map(AggregatedDiscovery::wish)
                .takeWhile(wish -> !wish.equals("plain"))
                .filter(VERSIONS::contains)
                .findFirst()
                .map(version -> Answer.Page.of(type(version), Json.bytes(document(path, version))));
    }

    /// Which version of this form one range of an Accept header asks for, or `plain`.
    private static String wish(String range) {
        List<String> parts = Stream.of(range.toLowerCase(Locale.ROOT).split(";"))
                .map(String::strip)
                .toList();
        boolean json = List.of("application/json", "application/*", "*/*").contains(parts.getFirst());
        boolean ours = parts.contains("g=apidiscovery.k8s.io") && parts.contains("as=apigroupdiscoverylist");
        Optional<String> version =
                parts.stream().filter(part -> part.startsWith("v=")).findFirst();
        if (json && ours && version.isPresent()) {
            return version.get().substring(2);
        }
        return json ? "plain" : "other";
    }

    private ObjectNode document(String path, String version) {
        ObjectNode list =
                Json.object().put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/" + version);
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        Collection<String> groups = path.equals("/api") ? List.of("") : discovery.groupNames();
        groups.forEach(group -> addGroup(items.addObject(), group));
        return list;
    }

    private void addGroup(ObjectNode item, String group) {
        ObjectNode metadata = item.putObject("metadata");
        if (!group.isEmpty()) {
            metadata.put("name", group);
        }
        metadata.putNull("creationTimestamp");
        ArrayNode versions = item.putArray("versions");
        for (String version : discovery.versions(group)) {
            ObjectNode entry = versions.addObject().put("version", version);
            ArrayNode resources = entry.putArray("resources");
            discovery.kinds(group, version).forEach(kind -> addResource(resources.addObject(), kind));
            entry.put("freshness", "Current");
        }
    }

    private static void addResource(ObjectNode resource, ServedKind served) {
        Kind kind = served.kind();
        resource.put("resource", kind.plural());
        resource.set("responseKind", type(kind));
        resource.put("scope", kind.namespaced() ? "Namespaced" : "Cluster");
        resource.put("singularResource", kind.singular());
        served.verbs().forEach(resource.putArray("verbs")::add);
        Discovery.addUnlessEmpty(resource, "shortNames", kind.shortNames());
        Discovery.addUnlessEmpty(resource, "categories", served.categories());
        if (!served.parts().isEmpty()) {
            ArrayNode parts = resource.putArray("subresources");
            served.parts().forEach(part -> addPart(parts.addObject(), part));
        }
    }

    private static void addPart(ObjectNode entry, ServedKind.Part part) {
        entry.put("subresource", part.name());
        entry.set("responseKind", type(part.kind()));
        part.verbs().forEach(entry.putArray("verbs")::add);
    }

    private static ObjectNode type(Kind kind) {
        return Json.object()
                .put("group", kind.group())
                .put("version", kind.version())
                .put("kind", kind.name());
    }

    private static String type(String version) {
        return "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList".formatted(version);
    }
}
