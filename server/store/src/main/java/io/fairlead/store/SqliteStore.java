package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in one SQLite file. Reads come from memory, writes are made durable in groups by one thread.
public final class SqliteStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);

    // A compaction goes in steps of so many revisions, so that no other write waits long for one.
    private static final long COMPACTION_STEP = 1_000;

    private final FileClaim claim;
    private final SqliteHistory history;
    private final View view;
    private final SqliteWriter writer;
    private final WriteQueue queue = new WriteQueue();
    private final TaskGroup tasks = new TaskGroup("store");

    private SqliteStore(FileClaim claim, SqliteFile file, SqliteLog log) throws SQLException {
        Newest newest = log.newest();
        Revision compacted = log.compacted();
        log.release();
        this.claim = claim;
        this.history = SqliteHistory.open(file);
        this.view = new View(newest, history, compacted);
        LOG.info("event=store-opened store={} revision={} compacted={}", file.path(), view.revision(), compacted);
        this.writer = new SqliteWriter(file, log, queue, view, history);
        tasks.runOnPlatformThread("writer", writer);
    }

    /// Opens the store in `file`, an empty one if there is no such file. Its directory must be there.
    public static SqliteStore open(Path file) {
        try {
            SqliteLibrary.load();
            return open(new SqliteFile(file), FileClaim.of(file));
        } catch (IOException | SQLException e) {
            throw new StoreException("cannot open the store %s: %s".formatted(file, e), e);
        }
    }

    private static SqliteStore open(SqliteFile file, FileClaim claim) throws IOException, SQLException {
        try {
            file.createIfAbsent();
            return open(file, claim, SqliteLog.open(file));
        } catch (IOException | SQLException | RuntimeException e) {
            claim.close();
            throw e;
        }
    }

    private static SqliteStore open(SqliteFile file, FileClaim claim, SqliteLog log) throws SQLException {
        try {
            return new SqliteStore(claim, file, log);
        } catch (SQLException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    @Override
    public List<Outcome> put(List<Put> puts) {
        return write(puts);
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return write(List.of(new StoreWrite.Delete(key, expected))).getFirst();
    }

    @Override
    public void compact(Revision upTo) {
        view.requireWritten(upTo);
        while (upTo.isAfter(view.compacted())) {
            long step = view.compacted().value() + COMPACTION_STEP;
            write(List.of(new StoreWrite.Compact(new Revision(Math.min(step, upTo.value())))));
        }
    }

    private List<Outcome> write(List<? extends StoreWrite> writes) {
        PendingWrite<StoreWrite> pending = new PendingWrite<>(writes);
        queue.add(pending);
        return pending.await();
    }

    @Override
    public Optional<Stored> find(String key) {
        return view.find(key);
    }

    @Override
    public Listing list(String prefix) {
        return view.list(prefix);
    }

    @Override
    public Revision revision() {
        return view.newest();
    }

    @Override
    public Watch watch(String prefix, Revision after) {
        return view.watch(prefix, after);
    }

    @Override
    public Revision before(Revision revision, long writes) {
        return View.before(revision, writes);
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Optional<String> trouble() {
        return writer.trouble();
    }

    /// Writes what still waits, ends the watches, and gives the file back.
    @Override
    public void close() {
        queue.close();
        tasks.close();
        view.close();
        history.close();
        claim.close();
    }
}
