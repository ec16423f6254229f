package io.fairlead.merge;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON Patch (RFC 6902): a list of operations, all of which are done or none.
public final class JsonPatch {
    /// As much as a request may hold, as in Kubernetes.
    private static final long MOST_COPIED = 3L << 20;

    private static final int MOST_OPERATIONS = 10_000;

    private final ObjectNode root = Json.object();
    private long copied;

    private JsonPatch(JsonNode target) {
        // The document hangs under an empty name, so that it can itself be replaced like any other value.
        root.set("", target);
    }

    /// What `target` becomes; it is changed on the way, so it must be a copy.
    public static JsonNode apply(JsonNode target, JsonNode operations) {
        if (!operations.isArray() || operations.size() > MOST_OPERATIONS) {
            throw MergeException.malformed(
                    "a JSON patch is a list of at most %d operations".formatted(MOST_OPERATIONS));
        }
        JsonPatch patch = new JsonPatch(target);
        operations.forEach(patch::apply);
        return patch.root.path("");
    }

    private void apply(JsonNode operation) {
        List<String> path = pointer(Json.text(operation, "path"));
        switch (Json.text(operation, "op")) {
            case "add" -> add(path, value(operation));
            case "remove" -> remove(path);
            case "replace" -> {
                remove(path);
                add(path, value(operation));
            }
            case "move" -> add(path, remove(pointer(Json.text(operation, "from"))));
            case "copy" -> add(path, copied(find(pointer(Json.text(operation, "from")))));
            case "test" -> test(path, value(operation));
            default -> throw refused("unknown operation " + operation.path("op"));
        }
    }

    /// A copy of a copy of a copy doubles each time: what all of a patch copies together is bounded.
    private JsonNode copied(JsonNode node) {
        copied += size(node);
        if (copied > MOST_COPIED) {
            throw refused("the operations of the patch copy more than %d characters".formatted(MOST_COPIED));
        }
        return node.deepCopy();
    }

    private static long size(JsonNode node) {
        long size = node.isContainer() ? 2 : node.asString("").length() + 2L;
        for (JsonNode child : node) {
            size += size(child);
        }
        for (String name : node.propertyNames()) {
            size += name.length() + 3L;
        }
        return size;
    }

    private static JsonNode value(JsonNode operation) {
        if (!operation.has("value")) {
            throw refused("the operation '%s' needs a value".formatted(Json.text(operation, "op")));
        }
        return operation.path("value").deepCopy();
    }

    private void add(List<String> path, JsonNode value) {
        String last = path.getLast();
        switch (parent(path)) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode array -> array.insert(last.equals("-") ? array.size() : index(last, array.size()), value);
            default -> throw missing(path);
        }
    }

    private JsonNode remove(List<String> path) {
        JsonNode value = find(path);
        switch (parent(path)) {
            case ObjectNode object -> object.remove(path.getLast());
            case ArrayNode array -> array.remove(index(path.getLast(), array.size() - 1));
            default -> throw missing(path);
        }
        return value;
    }

    private void test(List<String> path, JsonNode expected) {
        if (!find(path).equals(expected)) {
            throw refused("testing path %s failed".formatted(shown(path)));
        }
    }

    private JsonNode parent(List<String> path) {
        return path.size() == 1 ? root : find(path.subList(0, path.size() - 1));
    }

    private JsonNode find(List<String> path) {
        JsonNode node = root;
        for (String part : path) {
            node = node.isArray() ? node.path(index(part, node.size() - 1)) : node.path(part);
            if (node.isMissingNode()) {
                throw missing(path);
            }
        }
        return node;
    }

    private static int index(String part, int most) {
        boolean number = !part.isEmpty()
                && part.length() < 9
                && part.chars().allMatch(c -> c >= '0' && c <= '9')
                && (part.length() == 1 || part.charAt(0) != '0');
        if (!number || Integer.parseInt(part) > most) {
            throw refused("'%s' is not the index of an item".formatted(part));
        }
        return Integer.parseInt(part);
    }

    private static List<String> pointer(String text) {
        if (!text.isEmpty() && !text.startsWith("/")) {
            throw refused("'%s' is not a JSON pointer".formatted(text));
        }
        return new ArrayList<>(Stream.of(text.split("/", -1))
                .map(part -> part.replace("~1", "/").replace("~0", "~"))
                .toList());
    }

    private static MergeException missing(List<String> path) {
        return refused("the path %s does not exist".formatted(shown(path)));
    }

    private static String shown(List<String> path) {
        return String.join("/", path);
    }

    private static MergeException refused(String why) {
        return MergeException.doesNotFit(why);
    }
}
