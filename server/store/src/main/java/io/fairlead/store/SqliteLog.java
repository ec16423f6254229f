package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/// The file as a log of changes that one thread appends to.
///
/// Compaction up to a revision keeps the state as of it: it removes the values that were replaced by then, and the
/// deletes. What came later stays whole, with the value before it. So the newest revision is always that of the last
/// row, or the compaction's if that is later, and no counter needs to be written besides.
final class SqliteLog implements AutoCloseable {
    private static final String NEWEST = """
        SELECT revision, key, value FROM change
        WHERE value IS NOT NULL AND revision NOT IN (SELECT previous FROM change)\
        """;
    private static final String REVISION =
            "SELECT max(up_to, (SELECT coalesce(max(revision), 0) FROM change)) FROM compaction";
    private static final String APPEND = "INSERT INTO change (revision, previous, key, value) VALUES (?, ?, ?, ?)";
    private static final String FORGET_REPLACED = """
        DELETE FROM change WHERE revision IN
            (SELECT previous FROM change WHERE revision > (SELECT up_to FROM compaction) AND revision <= ?)\
        """;
    private static final String FORGET_DELETES = """
        DELETE FROM change
        WHERE revision > (SELECT up_to FROM compaction) AND revision <= ? AND value IS NULL\
        """;
    private static final String MARK = "UPDATE compaction SET up_to = max(up_to, ?)";

    // So many pages go back to the file system with each step of a compaction: about what a step frees.
    private static final String SHRINK = "PRAGMA incremental_vacuum(1024)";

    private final Connection connection;
    private final PreparedStatement append;

    private SqliteLog(Connection connection) throws SQLException {
        this.connection = connection;
        this.append = connection.prepareStatement(APPEND);
    }

    static SqliteLog open(SqliteFile file) throws SQLException {
        Connection connection = file.openForWriting();
        try {
            return new SqliteLog(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /// The newest value of every key.
    Newest newest() throws SQLException {
        List<Stored> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(NEWEST)) {
            while (rows.next()) {
                values.add(new Stored(rows.getString(2), rows.getBytes(3), new Revision(rows.getLong(1))));
            }
        }
        return new Newest(values, revision());
    }

    Revision compacted() throws SQLException {
        return one("SELECT up_to FROM compaction");
    }

    Revision revision() throws SQLException {
        return one(REVISION);
    }

    /// Ends the transaction that reading began: the file need not keep this state of it.
    void release() throws SQLException {
        connection.rollback();
    }

    private Revision one(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return new Revision(rows.getLong(1));
        }
    }

    /// Makes a group durable, all of it or nothing. After an exception the log is of no more use: what state the
    /// connection is in depends on the error.
    void commit(Draft draft) throws SQLException {
        if (draft.isEmpty()) {
            return;
        }
        for (Change change : draft.changes()) {
            append(change);
        }
        if (draft.compactTo().isAfter(Revision.ZERO)) {
            forget(draft.compactTo());
        }
        makeDurable();
    }

    private void makeDurable() {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new StoreException(StoreException.Kind.UNCERTAIN, "the commit failed: " + e.getMessage(), e);
        }
    }

    private void append(Change change) throws SQLException {
        append.setLong(1, change.revision().value());
        append.setLong(
                2, change.previous().map(Stored::revision).orElse(Revision.ZERO).value());
        append.setString(3, change.key());
        switch (change) {
            case Change.Put(var stored, var _) -> append.setBytes(4, stored.value());
            case Change.Delete _ -> append.setNull(4, Types.BLOB);
        }
        append.executeUpdate();
    }

    private void forget(Revision upTo) throws SQLException {
        for (String sentence : List.of(FORGET_REPLACED, FORGET_DELETES, MARK)) {
            try (PreparedStatement statement = connection.prepareStatement(sentence)) {
                statement.setLong(1, upTo.value());
                statement.executeUpdate();
            }
        }
        shrink();
    }

    /// By executeUpdate, which goes on until all of the pages are gone: a query would stop after the first.
    private void shrink() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(SHRINK);
        }
    }

    /// A commit that changes nothing: shows that the disk takes writes.
    void writeNothing() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE compaction SET up_to = up_to");
        }
        makeDurable();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
