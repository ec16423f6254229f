package io.fairlead.lab;

/// `up.json` in the directory of a cluster: what runs, and where, for programs that want to know.
final class UpFile {
    static final String NAME = "up.json";

    private UpFile() {}
}
