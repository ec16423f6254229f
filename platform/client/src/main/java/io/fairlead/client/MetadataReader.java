package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ObjectMeta.OwnerReference;
import io.fairlead.api.Revision;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What stands under `metadata`, without a tree: the same record that [ObjectMeta#ofMetadata] makes of one.
final class MetadataReader {
    private final JsonScanner json;
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private Revision revision = Revision.ZERO;
    private Map<String, String> labels = Map.of();
    private Map<String, String> annotations = Map.of();
    private List<OwnerReference> owners = List.of();
    private List<String> finalizers = List.of();
    private long generation;
    private String creationTimestamp = "";
    private String deletionTimestamp = "";

    MetadataReader(JsonScanner json) {
        this.json = json;
    }

    ObjectMeta read() throws IOException {
        if (json.entersObject()) {
            for (String field = json.field(); field != null; field = json.field()) {
                read(field);
            }
        } else {
            json.skip();
        }
        return new ObjectMeta(
                new NamespacedName(namespace, name),
                uid,
                revision,
                labels,
                annotations,
                owners,
                finalizers,
                generation,
                creationTimestamp,
                deletionTimestamp);
    }

    private void read(String field) throws IOException {
        switch (field) {
            case "namespace" -> namespace = json.sharedText();
            case "name" -> name = json.text();
            case "uid" -> uid = json.text();
            case "resourceVersion" -> revision = ObjectMeta.revision(json.text());
            case "labels" -> labels = map();
            case "annotations" -> annotations = map();
            case "ownerReferences" -> owners = ObjectMeta.owners(json.tree());
            case "finalizers" -> finalizers = Json.texts(json.tree());
            case "generation" -> generation = json.tree().asLong(0);
            case "creationTimestamp" -> creationTimestamp = json.text();
            case "deletionTimestamp" -> deletionTimestamp = json.text();
            default -> json.skip();
        }
    }

    private Map<String, String> map() throws IOException {
        if (!json.entersObject()) {
            json.skip();
            return Map.of();
        }
        Map<String, String> map = new LinkedHashMap<>();
        for (String key = json.key(); key != null; key = json.key()) {
            map.put(key, json.isText() ? json.sharedText() : json.tree().asString(""));
        }
        return Collections.unmodifiableMap(map);
    }
}
