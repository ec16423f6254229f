package io.fairlead.routes;

import io.fairlead.api.Ingress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the annotations of an Ingress ask for, read and checked.
public record Options(Map<Annotation, Object> values) {
    public static final Options NONE = new Options(Map.of());

    private static final Map<String, String> REFUSED = Map.of(
            "configuration-snippet",
            "text becomes no configuration; use custom-headers, rewrite-target, enable-cors or the redirects",
            "server-snippet",
            "text becomes no configuration; use server-alias, the redirects, allowlist-source-range",
            "auth-snippet",
            "text becomes no configuration; use auth-response-headers and auth-method",
            "stream-snippet",
            "text becomes no configuration; use the ConfigMaps of TCP and UDP services",
            "modsecurity-snippet",
            "there is no such filter here; use allowlist-source-range and the limits");

    /// One annotation, and what became of it: taken, or a sentence that says why not.
    public record Verdict(String name, String value, Outcome outcome, String sentence) {}

    /// What becomes of an annotation.
    public enum Outcome {
        TAKEN,
        UNKNOWN,
        REFUSED
    }

    /// The options of an Ingress, and the verdict of every annotation that is ours to read.
    public record Reading(Options options, List<Verdict> verdicts) {
        /// Why this Ingress cannot be served; empty where it can.
        public List<String> problems() {
            return sentences(Outcome.REFUSED);
        }

        public List<String> warnings() {
            return sentences(Outcome.UNKNOWN);
        }

        private List<String> sentences(Outcome outcome) {
            return verdicts.stream()
                    .filter(verdict -> verdict.outcome == outcome)
                    .map(verdict -> verdict.name + ": " + verdict.sentence)
                    .toList();
        }
    }

    public Options {
        values = Collections.unmodifiableMap(values.isEmpty() ? Map.of() : new EnumMap<>(values));
    }

    /// Reads all annotations. Where both prefixes name one option, ours counts.
    public static Reading read(Ingress ingress) {
        Map<Annotation, Object> values = new EnumMap<>(Annotation.class);
        List<Verdict> verdicts = new ArrayList<>();
        // In this order `fairlead.io/` comes first.
        new TreeMap<>(ingress.metadata().annotations())
                .forEach((name, value) -> word(name).ifPresent(word -> verdicts.add(read(name, word, value, values))));
        return new Reading(new Options(values), List.copyOf(verdicts));
    }

    private static Verdict read(String name, String word, String value, Map<Annotation, Object> values) {
        if (REFUSED.containsKey(word)) {
            return new Verdict(name, value, Outcome.REFUSED, REFUSED.getOrDefault(word, ""));
        }
        Optional<Annotation> known = Annotation.find(word);
        if (known.isEmpty()) {
            return new Verdict(name, value, Outcome.UNKNOWN, "no such option here; it changes nothing");
        }
        Optional<Object> read = known.get().read(value);
        if (read.isEmpty()) {
            return new Verdict(
                    name, value, Outcome.REFUSED, "must be " + known.get().grammar());
        }
        values.putIfAbsent(known.get(), read.get());
        return new Verdict(name, value, Outcome.TAKEN, "");
    }

    private static Optional<String> word(String name) {
        if (name.startsWith(Annotation.PREFIX)) {
            return Optional.of(name.substring(Annotation.PREFIX.length()));
        }
        return name.startsWith(Annotation.NGINX_PREFIX)
                ? Optional.of(name.substring(Annotation.NGINX_PREFIX.length()))
                : Optional.empty();
    }

    public boolean has(Annotation annotation) {
        return values.containsKey(annotation);
    }

    public boolean flag(Annotation annotation, boolean otherwise) {
        return values.get(annotation) instanceof Boolean flag ? flag : otherwise;
    }

    public long number(Annotation annotation, long otherwise) {
        return values.get(annotation) instanceof Long number ? number : otherwise;
    }

    public String text(Annotation annotation, String otherwise) {
        return values.get(annotation) instanceof String text ? text : otherwise;
    }

    public List<String> list(Annotation annotation) {
        return values.get(annotation) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
