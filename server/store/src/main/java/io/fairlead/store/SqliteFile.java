package io.fairlead.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/// A file that holds a store: how it is opened, and what its tables are.
record SqliteFile(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);
    private static final int FORMAT = 1;
    private static final String INCREMENTAL = "2"; // of PRAGMA auto_vacuum

    // Only we write. But an operator may look into the file with another tool, and a write waits for that a while.
    private static final int BUSY_MILLIS = 5_000;

    private static final String CHANGE = """
        CREATE TABLE change (
            revision INTEGER PRIMARY KEY, -- 1, 2, 3 … without a gap
            previous INTEGER NOT NULL,    -- revision of the value that this one replaces; 0 if there is none
            key      TEXT NOT NULL,
            value    BLOB                 -- NULL: the key is deleted
        ) STRICT\
        """;
    private static final String COMPACTION = "CREATE TABLE compaction (up_to INTEGER NOT NULL) STRICT";

    /// Makes an empty file if there is none. It will hold Secrets: only its owner may read it.
    void createIfAbsent() throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
    }

    /// A connection that is always inside a transaction; commit makes durable.
    Connection openForWriting() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        Connection connection = config.createConnection("jdbc:sqlite:" + path);
        try {
            requireDurable(connection);
            letShrink(connection);
            connection.setAutoCommit(false);
            requireTables(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    Connection openForReading() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(BUSY_MILLIS);
        return config.createConnection("jdbc:sqlite:" + path);
    }

    /// SQLite does not complain when a file system cannot do what a pragma asks for.
    private void requireDurable(Connection connection) throws SQLException {
        String journal = one(connection, "PRAGMA journal_mode");
        String synchronous = one(connection, "PRAGMA synchronous");
        if (!journal.equals("wal") || !synchronous.equals("2")) {
            throw new StoreException("the store %s cannot be made durable: journal_mode=%s synchronous=%s"
                    .formatted(path, journal, synchronous));
        }
    }

    /// The file gives back what a compaction frees. One of an earlier version is rewritten once; where that fails, for
    /// want of room, it stays as it is and does not shrink.
    private void letShrink(Connection connection) throws SQLException {
        if (one(connection, "PRAGMA auto_vacuum").equals(INCREMENTAL)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA auto_vacuum = " + INCREMENTAL);
            statement.execute("VACUUM");
        } catch (SQLException e) {
            LOG.warn("event=store-does-not-shrink store={} reason=\"{}\"", path, e.getMessage());
        }
    }

    private void requireTables(Connection connection) throws SQLException {
        int format = Integer.parseInt(one(connection, "PRAGMA user_version"));
        switch (format) {
            case 0 -> createTables(connection);
            case FORMAT -> connection.rollback();
            default ->
                throw new StoreException(
                        "the store %s has format %d: this program knows format %d".formatted(path, format, FORMAT));
        }
    }

    private static void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(CHANGE);
            statement.execute(COMPACTION);
            statement.execute("INSERT INTO compaction VALUES (0)");
            statement.execute("PRAGMA user_version = " + FORMAT);
        }
        connection.commit();
    }

    private static String one(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.getString(1);
        }
    }
}
