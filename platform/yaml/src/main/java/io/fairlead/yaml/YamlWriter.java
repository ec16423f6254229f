package io.fairlead.yaml;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;
import tools.jackson.databind.JsonNode;

/// Writes a JSON tree as YAML, through the events of SnakeYAML's emitter: it knows which texts need quotes at all.
final class YamlWriter {
    private static final ImplicitTuple UNTAGGED = new ImplicitTuple(true, true);

    private final StringWriter text = new StringWriter();
    private final Emitter emitter = new Emitter(text, options());

    private YamlWriter() {}

    static String text(JsonNode tree) {
        YamlWriter writer = new YamlWriter();
        writer.emit(new StreamStartEvent(null, null));
        writer.emit(new DocumentStartEvent(null, null, false, null, Map.of()));
        writer.node(tree);
        writer.emit(new DocumentEndEvent(null, null, false));
        writer.emit(new StreamEndEvent(null, null));
        return writer.text.toString();
    }

    private static DumperOptions options() {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setSplitLines(false);
        return options;
    }

    private void node(JsonNode node) {
        if (node.isObject()) {
            object(node);
        } else if (node.isArray()) {
            array(node);
        } else if (node.isString()) {
            scalar(node.stringValue(), style(node.stringValue()));
        } else {
            scalar(node.toString(), ScalarStyle.PLAIN);
        }
    }

    private void object(JsonNode object) {
        emit(new MappingStartEvent(null, null, true, null, null, flow(object)));
        object.propertyStream().forEach(field -> {
            scalar(field.getKey(), style(field.getKey()));
            node(field.getValue());
        });
        emit(new MappingEndEvent(null, null));
    }

    private void array(JsonNode array) {
        emit(new SequenceStartEvent(null, null, true, null, null, flow(array)));
        array.valueStream().forEach(this::node);
        emit(new SequenceEndEvent(null, null));
    }

    // Nothing in block style would stand for an empty collection.
    private static FlowStyle flow(JsonNode collection) {
        return collection.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
    }

    private static ScalarStyle style(String text) {
        if (!YamlScalar.isPlainText(text) || text.chars().anyMatch(YamlWriter::isOddBreak)) {
            return ScalarStyle.DOUBLE_QUOTED;
        }
        return text.contains("\n") ? ScalarStyle.LITERAL : ScalarStyle.PLAIN;
    }

    /// YAML ends a line at these, too, unless they are escaped.
    private static boolean isOddBreak(int character) {
        return character == '\u0085' || character == '\u2028' || character == '\u2029';
    }

    private void scalar(String value, ScalarStyle style) {
        emit(new ScalarEvent(null, null, UNTAGGED, value, null, null, style));
    }

    private void emit(Event event) {
        try {
            emitter.emit(event);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
    }
}
