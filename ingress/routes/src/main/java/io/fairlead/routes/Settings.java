package io.fairlead.routes;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What holds for all Ingresses, from the ConfigMap of the controller.
public record Settings(Map<Setting, Object> values) {
    public static final Settings DEFAULT = read(Map.of()).settings();

    /// The settings of a ConfigMap, and the verdict of each of its keys: a bad value leaves the usual one.
    public record Reading(Settings settings, List<Options.Verdict> verdicts) {
        /// What was wrong with it.
        public List<String> warnings() {
            return verdicts.stream()
                    .filter(verdict -> verdict.outcome() != Options.Outcome.TAKEN)
                    .map(verdict -> verdict.name() + ": " + verdict.sentence())
                    .toList();
        }
    }

    public Settings {
        values = Map.copyOf(values);
    }

    public static Reading read(Map<String, String> keys) {
        Map<Setting, Object> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            values.put(setting, setting.read(setting.otherwise()).orElseThrow());
        }
        List<Options.Verdict> verdicts = new ArrayList<>();
        new TreeMap<>(keys).forEach((key, value) -> verdicts.add(read(key, value, values)));
        return new Reading(new Settings(values), List.copyOf(verdicts));
    }

    private static Options.Verdict read(String key, String value, Map<Setting, Object> values) {
        Optional<Setting> setting = Setting.find(key);
        if (setting.isEmpty()) {
            return new Options.Verdict(key, value, Options.Outcome.UNKNOWN, "no such key here; it changes nothing");
        }
        Optional<Object> read = setting.get().read(value);
        read.ifPresent(found -> values.put(setting.get(), found));
        return read.isPresent()
                ? new Options.Verdict(key, value, Options.Outcome.TAKEN, "")
                : new Options.Verdict(
                        key,
                        value,
                        Options.Outcome.REFUSED,
                        "must be " + setting.get().grammar());
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
