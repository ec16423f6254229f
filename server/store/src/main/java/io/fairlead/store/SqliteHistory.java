package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The history as it is on disk, over a connection of its own: reading does not hold up the writer.
final class SqliteHistory implements History, AutoCloseable {
    private static final int PAGE_ROWS = 1_000;
    private static final long PAGE_BYTES = 4L << 20;

    // One statement sees one state of the file, so `up_to` tells whether these very rows are complete.
    private static final String PAGE = """
            SELECT change.revision, change.key, change.value, before.revision, before.value, up_to
            FROM compaction, change LEFT JOIN change AS before ON before.revision = change.previous
            WHERE change.revision > ? AND change.revision <= ?
            ORDER BY change.revision LIMIT ?""";

    private final ReentrantLock lock = new ReentrantLock();
    private final Connection connection;
    private final PreparedStatement page;

    private SqliteHistory(Connection connection) throws SQLException {
        this.connection = connection;
        this.page = connection.prepareStatement(PAGE);
    }

    static SqliteHistory open(SqliteFile file) throws SQLException {
        Connection connection = file.openForReading();
        try {
            return new SqliteHistory(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Optional<Batch> page(Revision after, Revision upTo) {
        lock.lock();
        try {
            return connection.isClosed() ? Optional.empty() : read(after, upTo);
        } catch (SQLException e) {
            throw new StoreException(
                    "cannot read the history after revision %s: %s".formatted(after, e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Batch> read(Revision after, Revision upTo) throws SQLException {
        page.setLong(1, after.value());
        page.setLong(2, upTo.value());
        page.setInt(3, PAGE_ROWS);
        List<Change> changes = new ArrayList<>();
        try (ResultSet rows = page.executeQuery()) {
            long bytes = 0;
            while (bytes < PAGE_BYTES && rows.next()) {
                if (rows.getLong(6) > after.value()) {
                    return Optional.empty();
                }
                Change change = change(rows);
                changes.add(change);
                bytes += size(change);
            }
        }
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Batch(changes, changes.getLast().revision()));
    }

    private static Change change(ResultSet row) throws SQLException {
        String key = row.getString(2);
        Revision revision = new Revision(row.getLong(1));
        byte[] value = row.getBytes(3);
        Optional<Stored> previous = previous(key, row);
        return value == null
                ? new Change.Delete(key, revision, previous)
                : new Change.Put(new Stored(key, value, revision), previous);
    }

    private static Optional<Stored> previous(String key, ResultSet row) throws SQLException {
        long revision = row.getLong(4);
        return revision == 0 ? Optional.empty() : Optional.of(new Stored(key, row.getBytes(5), new Revision(revision)));
    }

    private static long size(Change change) {
        long before = change.previous().map(stored -> stored.value().length).orElse(0);
        return switch (change) {
            case Change.Put(var stored, var _) -> before + stored.value().length;
            case Change.Delete _ -> before;
        };
    }

    @Override
    public void close() {
        lock.lock();
        try {
            connection.close();
        } catch (SQLException e) {
            throw new StoreException("cannot close the history: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }
}
