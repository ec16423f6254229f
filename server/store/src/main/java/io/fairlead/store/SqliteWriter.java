package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store.Batch;
import io.fairlead.store.Store.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// The one that writes: takes all writes that wait, decides them in order, makes them durable with one commit, shows
/// them to readers, and only then answers. While one group is on its way to the disk, the next gathers.
///
/// After a failure the truth is what the file says. The writer opens it anew and shows readers what it holds beyond
/// the last answer; while it cannot, it tries once a second, with or without writes to make.
final class SqliteWriter implements TaskGroup.Task {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

    private final SqliteFile file;
    private final WriteQueue queue;
    private final View view;
    private final SqliteHistory history;
    private SqliteLog log;
    private volatile Optional<String> trouble = Optional.empty();
    private long nextLine = System.nanoTime();

    SqliteWriter(SqliteFile file, SqliteLog log, WriteQueue queue, View view, SqliteHistory history) {
        this.file = file;
        this.log = log;
        this.queue = queue;
        this.view = view;
        this.history = history;
    }

    /// Why the last write failed; empty once one is made again.
    Optional<String> trouble() {
        return trouble;
    }

    @Override
    public void run() throws Exception {
        try {
            while (true) {
                Optional<List<PendingWrite<StoreWrite>>> group =
                        trouble.isPresent() ? queue.take(BETWEEN_TRIES) : Optional.of(queue.take());
                if (group.isEmpty()) {
                    recover();
                } else if (group.get().isEmpty()) {
                    return; // the store is closed
                } else {
                    write(group.get());
                }
            }
        } finally {
            log.close();
        }
    }

    /// Whatever goes wrong is the answer: no caller waits for a group for ever, and the next one may fare better.
    private void write(List<PendingWrite<StoreWrite>> group) {
        try {
            List<List<Outcome>> outcomes = commit(group);
            for (int i = 0; i < group.size(); i++) {
                group.get(i).answer(outcomes.get(i));
            }
            succeeded();
        } catch (SQLException | RuntimeException | Error e) {
            failed(e);
            String sentence = "cannot write the store %s: %s".formatted(file.path(), e.getMessage());
            StoreException failure = new StoreException(outcome(e), sentence, e);
            group.forEach(write -> write.fail(failure));
        }
    }

    private List<List<Outcome>> commit(List<PendingWrite<StoreWrite>> group) throws SQLException {
        if (trouble.isPresent()) {
            reopen();
        }
        Draft draft = view.draft();
        List<List<Outcome>> outcomes =
                group.stream().map(write -> draft.decide(write.writes())).toList();
        log.commit(draft);
        view.publish(draft.changes(), draft.compactTo());
        return outcomes;
    }

    /// What became of a group that failed: the file says it. A commit that the disk had no room for left nothing.
    private StoreException.Kind outcome(Throwable failure) {
        boolean sent = failure instanceof StoreException commit && commit.kind() == StoreException.Kind.UNCERTAIN;
        if (!sent || isWithoutRoom(failure)) {
            return StoreException.Kind.UNAVAILABLE;
        }
        try {
            Revision before = view.revision();
            reopen();
            return view.revision().equals(before) ? StoreException.Kind.UNAVAILABLE : StoreException.Kind.UNCERTAIN;
        } catch (SQLException | RuntimeException e) {
            LOG.warn("event=store-unreadable store={} reason=\"{}\"", file.path(), e.getMessage());
            return StoreException.Kind.UNCERTAIN;
        }
    }

    /// The kernel refused a part of the commit, so the mark that ends it was never written.
    private static boolean isWithoutRoom(Throwable failure) {
        return failure.getCause() instanceof SQLiteException e && e.getResultCode() == SQLiteErrorCode.SQLITE_FULL;
    }

    /// Tries whether the file takes writes again.
    private void recover() {
        try {
            reopen();
            log.writeNothing();
            succeeded();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("event=store-still-failing store={} reason=\"{}\"", file.path(), e.getMessage());
        }
    }

    private void succeeded() {
        if (trouble.isPresent()) {
            trouble = Optional.empty();
            LOG.debug("event=store-recovered store={} revision={}", file.path(), view.revision());
        }
    }

    /// One line a minute: on a disk that is nearly full small writes work between large ones that do not.
    private void failed(Throwable reason) {
        LOG.debug("event=store-failed store={}", file.path(), reason);
        if (System.nanoTime() - nextLine >= 0) {
            LOG.error(
                    "event=store-failed store={} revision={} reason=\"{}\"",
                    file.path(),
                    view.revision(),
                    reason.getMessage());
            nextLine = System.nanoTime() + BETWEEN_LINES.toNanos();
        }
        trouble = Optional.of(String.valueOf(reason.getMessage()));
    }

    /// Opens the file anew and shows readers what it holds beyond the last answer: a group whose commit was reported as
    /// failed, but that is there.
    private void reopen() throws SQLException {
        log.close();
        log = SqliteLog.open(file);
        Revision stored = log.revision();
        log.release();
        if (view.revision().isAfter(stored)) {
            throw new StoreException("%s is at revision %s, but %s was answered: the file was replaced; start again"
                    .formatted(file.path(), stored, view.revision()));
        }
        while (stored.isAfter(view.revision())) {
            Batch found = history.page(view.revision(), stored)
                    .orElseThrow(() -> new StoreException(
                            "%s does not hold the changes after revision %s".formatted(file.path(), view.revision())));
            view.publish(found.changes(), Revision.ZERO);
            LOG.warn("event=commit-found store={} revision={}", file.path(), view.revision());
        }
    }
}
