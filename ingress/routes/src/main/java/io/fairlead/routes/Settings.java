package io.fairlead.routes;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What holds for all Ingresses, from the ConfigMap of the controller.
public record Settings(Map<Setting, Object> values) {
    public static final Settings DEFAULT = read(Map.of()).settings();

    /// The settings of a ConfigMap, and what was wrong with it: a bad value leaves the usual one.
    public record Reading(Settings settings, List<String> warnings) {}

    public Settings {
        values = Map.copyOf(values);
    }

    public static Reading read(Map<String, String> keys) {
        Map<Setting, Object> values = new EnumMap<>(Setting.class);
        List<String> warnings = new ArrayList<>();
        for (Setting setting : Setting.values()) {
            values.put(setting, setting.read(setting.otherwise()).orElseThrow());
        }
        new TreeMap<>(keys)
                .forEach((key, value) -> Setting.find(key)
                        .ifPresentOrElse(
                                setting -> setting.read(value)
                                        .ifPresentOrElse(
                                                read -> values.put(setting, read),
                                                () -> warnings.add("%s: must be %s".formatted(key, setting.grammar()))),
                                () -> warnings.add("%s: no such key here; it changes nothing".formatted(key))));
        return new Reading(new Settings(values), List.copyOf(warnings));
    }

    boolean flag(Setting setting) {
        return Boolean.TRUE.equals(values.get(setting));
    }

    String text(Setting setting) {
        return String.valueOf(values.get(setting));
    }

    List<String> list(Setting setting) {
        return values.get(setting) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
