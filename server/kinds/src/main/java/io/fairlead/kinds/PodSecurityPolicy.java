package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What the pods of a namespace may ask for: what is refused, what is written down, and what its author is warned of.
///
/// The labels `pod-security.kubernetes.io/MODE` and `…/MODE-version` of the namespace say it.
public record PodSecurityPolicy(Rule enforce, Rule audit, Rule warn) {
    public static final PodSecurityPolicy OPEN = of(Level.PRIVILEGED);
    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final List<String> MODES = List.of("enforce", "audit", "warn");
    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,5})");
    private static final int NEWEST = Integer.MAX_VALUE;

    /// The three levels of the Pod Security Standards, the most open one first.
    public enum Level {
        PRIVILEGED,
        BASELINE,
        RESTRICTED;

        public static Optional<Level> find(String text) {
            return List.of(values()).stream()
                    .filter(level -> level.toString().equals(text))
                    .findFirst();
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A level as a release of Kubernetes has it: `version` is `latest` or `v1.N`.
    public record Rule(Level level, String version) {
        /// The N of `v1.N`; of `latest` the largest there is.
        int minor() {
            Matcher matcher = VERSION.matcher(version);
            return matcher.matches() ? Integer.parseInt(matcher.group(1)) : NEWEST;
        }

        @Override
        public String toString() {
            return level + ":" + version;
        }
    }

    /// The same level for all three.
    public static PodSecurityPolicy of(Level level) {
        Rule rule = new Rule(level, "latest");
        return new PodSecurityPolicy(rule, rule, rule);
    }

    /// What the labels of a namespace say; where they are silent, the policy is this one.
    public PodSecurityPolicy refinedBy(JsonNode namespace) {
        JsonNode labels = Json.at(namespace, "metadata", "labels");
        return new PodSecurityPolicy(
                rule(labels, "enforce", enforce), rule(labels, "audit", audit), rule(labels, "warn", warn));
    }

    private static Rule rule(JsonNode labels, String mode, Rule otherwise) {
        String level = Json.text(labels, PREFIX + mode);
        String version = Json.text(labels, PREFIX + mode + "-version");
        return new Rule(
                // A label that cannot be read was written before it was checked: the strictest reading is the safe one.
                level.isEmpty() ? otherwise.level() : Level.find(level).orElse(Level.RESTRICTED),
                version.isEmpty() ? (level.isEmpty() ? otherwise.version() : "latest") : version);
    }

    /// What is wrong with the labels of a namespace.
    static List<Problem> check(JsonNode namespace) {
        JsonNode labels = Json.at(namespace, "metadata", "labels");
        List<Problem> problems = new ArrayList<>();
        for (String mode : MODES) {
            String level = Json.text(labels, PREFIX + mode);
            if (labels.has(PREFIX + mode) && Level.find(level).isEmpty()) {
                problems.add(Problem.invalid(field(mode), level, "must be one of privileged, baseline, restricted"));
            }
            String version = Json.text(labels, PREFIX + mode + "-version");
            if (labels.has(PREFIX + mode + "-version")
                    && !version.equals("latest")
                    && !VERSION.matcher(version).matches()) {
                problems.add(Problem.invalid(field(mode + "-version"), version, "must be \"latest\" or \"v1.N\""));
            }
        }
        return problems;
    }

    private static String field(String label) {
        return "metadata.labels[%s%s]".formatted(PREFIX, label);
    }
}
