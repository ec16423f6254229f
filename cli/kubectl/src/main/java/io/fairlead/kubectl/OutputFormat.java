package io.fairlead.kubectl;

/// How `get` shows objects, as `-o` spells it.
enum OutputFormat {
    TABLE,
    WIDE,
    YAML,
    JSON,
    NAME;

    /// A table of the server's, rather than the objects themselves.
    boolean isTable() {
        return this == TABLE || this == WIDE;
    }
}
