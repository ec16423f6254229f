package io.fairlead.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;

/// The native half of sqlite-jdbc. By default the driver unpacks it into the shared temporary directory and leaves it
/// there when the process is killed. Here it goes through a private directory that is gone as soon as it is loaded.
final class SqliteLibrary {
    private static final String DIRECTORY_PROPERTY = "org.sqlite.tmpdir";

    private static boolean loaded;

    private SqliteLibrary() {}

    /// Loads it, the first time; a copy that `org.sqlite.lib.path` names is taken as it is.
    static synchronized void load() {
        if (!loaded) {
            try {
                loadThrough(Files.createTempDirectory("fairlead-sqlite-"));
            } catch (Exception e) {
                throw new StoreException("cannot load the SQLite library: " + e, e);
            }
            loaded = true;
        }
    }

    private static void loadThrough(Path directory) throws Exception {
        System.setProperty(DIRECTORY_PROPERTY, directory.toString());
        try {
            SQLiteJDBCLoader.initialize();
        } finally {
            System.clearProperty(DIRECTORY_PROPERTY);
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(directory);
    }
}
