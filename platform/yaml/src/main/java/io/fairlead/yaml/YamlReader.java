package io.fairlead.yaml;

import io.fairlead.api.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Builds JSON trees from the events of SnakeYAML's parser.
///
/// An alias is a copy of what its anchor named. Copies are counted over the whole text, because a few lines of
/// aliases of aliases would otherwise unfold to billions of nodes.
final class YamlReader {
    static final int MAX_DEPTH = 100;
    static final int MAX_COPIED_NODES = 100_000;

    private final Parser parser;
    private final Map<String, JsonNode> anchors = new HashMap<>();
    private final StringBuilder path = new StringBuilder();
    private final @Nullable Consumer<String> duplicates;
    private int copiedNodes;

    /// Without `duplicates` a key that is there twice is a fault.
    private YamlReader(Parser parser, @Nullable Consumer<String> duplicates) {
        this.parser = parser;
        this.duplicates = duplicates;
    }

    static List<JsonNode> documents(String text) {
        return documents(text, null);
    }

    static List<JsonNode> documents(String text, @Nullable Consumer<String> duplicates) {
        YamlFaults faults = new YamlFaults(text);
        List<JsonNode> documents = new ArrayList<>();
        try {
            var reader = new YamlReader(new ParserImpl(new StreamReader(text), options()), duplicates);
            reader.parser.getEvent(); // the start of the stream
            while (!reader.parser.checkEvent(Event.ID.StreamEnd)) {
                JsonNode document = reader.document();
                if (!document.isNull()) {
                    documents.add(document);
                }
            }
            return documents;
        } catch (YAMLException e) {
            throw faults.describe(documents.size() + 1, e);
        } catch (YamlFault e) {
            throw faults.describe(documents.size() + 1, e);
        } catch (NumberFormatException e) {
            // The library trips over an escape at which the text breaks off.
            throw new ParseException("not YAML: an escape in quotes (\\x, \\u or \\U) names no character", e);
        }
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Yaml.MAX_CHARACTERS);
        return options;
    }

    private JsonNode document() {
        anchors.clear();
        parser.getEvent(); // the start of the document
        JsonNode tree = node(parser.getEvent(), 0);
        parser.getEvent(); // its end
        return tree;
    }

    private JsonNode node(Event event, int depth) {
        if (depth > MAX_DEPTH) {
            throw new YamlFault(event.getStartMark(), "nested deeper than %d levels".formatted(MAX_DEPTH));
        }
        if (event instanceof AliasEvent alias) {
            return copy(alias);
        }
        @Nullable String anchor = ((NodeEvent) event).getAnchor();
        if (anchor != null) {
            anchors.remove(anchor); // until it is complete: an alias inside itself has nothing to stand for
        }
        JsonNode node = switch (event) {
            case ScalarEvent scalar -> YamlTag.value(scalar);
            case SequenceStartEvent _ -> sequence(depth);
            case MappingStartEvent _ -> mapping(depth);
            default -> throw new IllegalStateException("the parser gave " + event);
        };
        if (anchor != null) {
            anchors.put(anchor, node);
        }
        return node;
    }

    private ArrayNode sequence(int depth) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        Event event = parser.getEvent();
        while (!event.is(Event.ID.SequenceEnd)) {
            list.add(below("[" + list.size() + "]", event, depth));
            event = parser.getEvent();
        }
        return list;
    }

    private ObjectNode mapping(int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        List<JsonNode> merged = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        Event event = parser.getEvent();
        while (!event.is(Event.ID.MappingEnd)) {
            String key = key(event, depth);
            if (!keys.add(key)) {
                duplicate(key, event);
            }
            Event valueEvent = parser.getEvent();
            JsonNode value = below(path.isEmpty() ? key : "." + key, valueEvent, depth);
            if (YamlTag.isMerge(event)) {
                merged.addAll(mergeSources(value, valueEvent.getStartMark()));
            } else {
                object.set(key, value);
            }
            event = parser.getEvent();
        }
        merged.forEach(source -> source.propertyStream()
                .filter(field -> !object.has(field.getKey()))
                .forEach(field -> object.set(field.getKey(), field.getValue())));
        return object;
    }

    private JsonNode below(String step, Event event, int depth) {
        int length = path.length();
        path.append(step);
        JsonNode value = node(event, depth + 1);
        path.setLength(length);
        return value;
    }

    private void duplicate(String key, Event event) {
        if (duplicates == null) {
            throw new YamlFault(event.getStartMark(), "the key \"%s\" is here twice".formatted(key));
        }
        duplicates.accept(path.isEmpty() ? key : path + "." + key);
    }

    private String key(Event event, int depth) {
        JsonNode key = node(event, depth + 1);
        if (key.isContainer() || key.isNull()) {
            throw new YamlFault(event.getStartMark(), "a key must be a word, a number or a truth value");
        }
        return key.asString();
    }

    private static List<JsonNode> mergeSources(JsonNode value, Mark mark) {
        List<JsonNode> sources = value.isArray() ? value.valueStream().toList() : List.of(value);
        if (!sources.stream().allMatch(JsonNode::isObject)) {
            throw new YamlFault(mark, "the merge key << takes a mapping, or a list of mappings");
        }
        return sources;
    }

    private JsonNode copy(AliasEvent alias) {
        @Nullable JsonNode named = anchors.get(alias.getAnchor());
        if (named == null) {
            throw new YamlFault(
                    alias.getStartMark(),
                    "the alias *%s has no complete anchor &%s before it"
                            .formatted(alias.getAnchor(), alias.getAnchor()));
        }
        count(named, alias);
        return named.deepCopy();
    }

    private void count(JsonNode copied, AliasEvent alias) {
        if (++copiedNodes > MAX_COPIED_NODES) {
            throw new YamlFault(
                    alias.getStartMark(), "the aliases unfold to more than %d values".formatted(MAX_COPIED_NODES));
        }
        copied.valueStream().forEach(child -> count(child, alias));
    }
}
