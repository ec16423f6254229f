package io.fairlead.yaml;

import org.yaml.snakeyaml.error.Mark;

/// A rule of ours that a YAML text breaks, and where. It leaves the room as a [ParseException].
final class YamlFault extends RuntimeException {
    private final transient Mark mark;

    YamlFault(Mark mark, String rule) {
        super(rule);
        this.mark = mark;
    }

    Mark mark() {
        return mark;
    }
}
