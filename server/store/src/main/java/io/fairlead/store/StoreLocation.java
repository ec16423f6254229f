package io.fairlead.store;

import java.nio.file.Path;

/// Where a store is, as users write it: `memory:`, `sqlite:PATH`, or
/// `etcd:http://a:2379,http://b:2379?prefix=/fairlead&ca=FILE&cert=FILE&key=FILE`.
public sealed interface StoreLocation permits StoreLocation.Memory, StoreLocation.Sqlite, EtcdLocation {
    /// In the memory of this process.
    record Memory() implements StoreLocation {
        @Override
        public Store open() {
            return new MemoryStore();
        }
    }

    /// In one file, whose directory is there.
    record Sqlite(Path file) implements StoreLocation {
        @Override
        public Store open() {
            return SqliteStore.open(file);
        }
    }

    /// Opens the store; throws a [StoreException] if it cannot be reached or is in use.
    Store open();

    /// Throws an IllegalArgumentException whose sentence says what is wrong with `text`.
    static StoreLocation parse(String text) {
        int colon = text.indexOf(':');
        String scheme = colon < 0 ? text : text.substring(0, colon);
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        return switch (scheme) {
            case "memory" -> new Memory();
            case "sqlite" -> sqlite(text, rest);
            case "etcd" -> EtcdLocation.parse(rest);
            default -> throw unknown(text);
        };
    }

    private static StoreLocation sqlite(String text, String path) {
        if (path.isEmpty()) {
            throw unknown(text);
        }
        return new Sqlite(Path.of(path));
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException(
                "\"%s\" is no store: memory:, sqlite:PATH or etcd:URL[,URL...][?prefix=/fairlead]".formatted(text));
    }
}
