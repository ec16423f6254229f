package io.fairlead.api;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// An object of a list as a tree, but without its `managedFields`: they are a third of what a small object has, and
/// nobody computes with them.
final class TreeReader {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String UNREAD = "managedFields";

    private final JsonParser json;

    TreeReader(JsonParser json) {
        this.json = json;
    }

    /// From the current token to the one that ends what it begins.
    JsonNode read() {
        return switch (json.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> NODES.stringNode(json.getString());
            default -> json.readValueAsTree();
        };
    }

    private ObjectNode object() {
        ObjectNode object = NODES.objectNode();
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            json.nextToken();
            if (field.equals(UNREAD)) {
                json.skipChildren();
            } else {
                object.set(field, read());
            }
        }
        return object;
    }

    private ArrayNode array() {
        ArrayNode array = NODES.arrayNode();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            array.add(read());
        }
        return array;
    }
}
