package io.fairlead.api;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A list of objects as an API server sends it, read item by item while it comes: no tree of the whole is ever built,
/// and what `keep` leaves out of an item is forgotten at once.
public final class ListReader {
    private static final long MOST_BYTES = 1L << 30;

    // Without a look at doubled names, which costs as much as all else: a server does not double them.
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxDocumentLength(MOST_BYTES)
                            .build())
                    .build())
            .build();

    private final Kind kind;
    private final UnaryOperator<KubernetesObject> keep;
    private final SharedTexts texts = new SharedTexts();

    public ListReader(Kind kind, UnaryOperator<KubernetesObject> keep) {
        this.kind = kind;
        this.keep = keep;
    }

    /// A list, or a part of one: `more` asks for the next part, and is empty in the last.
    public record Page(Revision revision, String more, List<KubernetesObject> objects) {}

    /// Reads to the end; a [ParseException] says where the text breaks.
    public Page read(InputStream text) {
        try (JsonParser json = MAPPER.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new ParseException("not a list");
            }
            return read(json);
        } catch (JacksonException e) {
            throw new ParseException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private Page read(JsonParser json) {
        List<KubernetesObject> objects = new ArrayList<>();
        Revision revision = Revision.ZERO;
        String more = "";
        boolean isList = false;
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            JsonToken value = json.nextToken();
            isList |= field.equals("items");
            if (field.equals("metadata")) {
                JsonNode metadata = json.readValueAsTree();
                revision = ObjectMeta.revision(Json.text(metadata, "resourceVersion"));
                more = Json.text(metadata, "continue");
            } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    objects.add(keep.apply(item(json)));
                }
            } else {
                json.skipChildren();
            }
        }
        if (!isList) {
            throw new ParseException("an object without items, which is no list"); // and not one of nothing
        }
        return new Page(revision, more, objects);
    }

    /// Slices are what a large cluster has most of, so they go without trees.
    private KubernetesObject item(JsonParser json) {
        if (kind.equals(Kind.ENDPOINT_SLICE) && json.isExpectedStartObjectToken()) {
            return new SliceReader(json, texts).read();
        }
        JsonNode item = new TreeReader(json).read();
        return KubernetesObject.of(kind, item).orElseThrow(() -> new IllegalStateException("no view of a " + kind));
    }
}
