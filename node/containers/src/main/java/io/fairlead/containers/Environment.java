package io.fairlead.containers;

import io.fairlead.api.EnvVar;
import io.fairlead.api.EnvVar.Source;
import io.fairlead.api.Pod;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The variables of one container. Later ones win: the image's, those of the Services, `envFrom`, `env`.
///
/// A value of `env` may name the variables before it, by `$(NAME)`.
record Environment(DownwardFields fields, ConfigValues values, Map<String, String> first) {

    Map<String, String> of(Pod.Container container) throws InterruptedException {
        Map<String, String> variables = new LinkedHashMap<>(first);
        for (EnvVar.From from : container.envFrom()) {
            values.require(from.kind(), from.object(), from.optional())
                    .forEach((key, value) -> variables.put(from.prefix() + key, text(value)));
        }
        for (EnvVar variable : container.env()) {
            value(variable, variables).ifPresent(value -> variables.put(variable.name(), value));
        }
        return variables;
    }

    private Optional<String> value(EnvVar variable, Map<String, String> before) throws InterruptedException {
        return switch (variable.source()) {
            case Source.Value(String text) -> Optional.of(Expansion.of(text, before));
            case Source.Field(String path) ->
                Optional.of(fields.find(path)
                        .orElseThrow(() -> new NodeException(
                                "env %s: fieldPath %s is not known here".formatted(variable.name(), path))));
            case Source.Key key -> value(key);
            case Source.Unsupported(String field) ->
                throw new NodeException("env %s: %s is not supported here".formatted(variable.name(), field));
        };
    }

    private Optional<String> value(Source.Key source) throws InterruptedException {
        Map<String, byte[]> all = values.require(source.kind(), source.object(), source.optional());
        byte[] value = all.get(source.key());
        if (value == null && !source.optional()) {
            throw new NodeException("couldn't find key %s in %s %s"
                    .formatted(source.key(), source.kind().name(), source.object()));
        }
        return Optional.ofNullable(value).map(Environment::text);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    /// The words of a command line, with the variables in place of their names.
    static List<String> expanded(List<String> words, Map<String, String> variables) {
        return words.stream().map(word -> Expansion.of(word, variables)).toList();
    }
}
