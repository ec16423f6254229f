package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ParseException;
import io.fairlead.api.Revision;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A list of objects as an API server sends it, read item by item while it comes: no tree of the whole is ever built,
/// and what is not in the excerpt is forgotten at once.
public final class ListReader {
    private final Kind kind;
    private final Excerpt excerpt;

    public ListReader(Kind kind, Excerpt excerpt) {
        this.kind = kind;
        this.excerpt = excerpt;
    }

    /// A list, or a part of one: `more` asks for the next part, and is empty in the last.
    public record Page(Revision revision, String more, List<KubernetesObject> objects) {}

    /// Reads to the end; a [ParseException] says what is wrong with the text.
    public Page read(InputStream text) throws IOException {
        JsonScanner json = new JsonScanner(text, excerpt.unread());
        if (!json.entersObject()) {
            throw new ParseException("not a list");
        }
        List<KubernetesObject> objects = new ArrayList<>();
        Revision revision = Revision.ZERO;
        String more = "";
        boolean isList = false;
        for (String field = json.field(); field != null; field = json.field()) {
            switch (field) {
                case "metadata" -> {
                    JsonNode metadata = json.tree();
                    revision = ObjectMeta.revision(Json.text(metadata, "resourceVersion"));
                    more = Json.text(metadata, "continue");
                }
                case "items" -> {
                    isList = true;
                    items(json, objects);
                }
                default -> json.skip();
            }
        }
        if (!isList) {
            throw new ParseException("an object without items, which is no list"); // and not one of nothing
        }
        return new Page(revision, more, objects);
    }

    private void items(JsonScanner json, List<KubernetesObject> objects) throws IOException {
        if (!json.entersArray()) {
            json.skip();
            return;
        }
        while (json.hasItem()) {
            objects.add(excerpt.of().apply(item(json)));
        }
    }

    /// Slices are what a large cluster has most of, so they go without trees.
    private KubernetesObject item(JsonScanner json) throws IOException {
        if (kind.equals(Kind.ENDPOINT_SLICE) && json.entersObject()) {
            return new SliceReader(json).read();
        }
        return KubernetesObject.of(kind, json.tree())
                .orElseThrow(() -> new IllegalStateException("no view of a " + kind));
    }
}
