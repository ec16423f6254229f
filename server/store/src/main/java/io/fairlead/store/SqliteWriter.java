package io.fairlead.store;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store.Outcome;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one that writes: takes all writes that wait, decides them in order, makes them durable with one commit, shows
/// them to readers, and only then answers. While one group is on its way to the disk, the next gathers.
final class SqliteWriter implements TaskGroup.Task {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

    private final SqliteFile file;
    private final WriteQueue queue;
    private final View view;
    private SqliteLog log;
    private boolean failed;

    SqliteWriter(SqliteFile file, SqliteLog log, WriteQueue queue, View view) {
        this.file = file;
        this.log = log;
        this.queue = queue;
        this.view = view;
    }

    @Override
    public void run() throws Exception {
        try {
            for (var group = queue.take(); !group.isEmpty(); group = queue.take()) {
                write(group);
            }
        } finally {
            log.close();
        }
    }

    /// Whatever goes wrong is the answer: nobody may wait for a group for ever, and the next one may fare better.
    private void write(List<PendingWrite<StoreWrite>> group) {
        try {
            List<List<Outcome>> outcomes = commit(group);
            for (int i = 0; i < group.size(); i++) {
                group.get(i).answer(outcomes.get(i));
            }
            succeeded();
        } catch (SQLException | RuntimeException | Error e) {
            String sentence = "cannot write the store %s: %s".formatted(file.path(), e.getMessage());
            group.forEach(write -> write.fail(sentence, e));
            failed(e);
        }
    }

    private void succeeded() {
        if (failed) {
            LOG.info("event=store-recovered store={} revision={}", file.path(), view.revision());
            failed = false;
        }
    }

    private void failed(Throwable reason) {
        if (!failed) {
            LOG.error("event=store-failed store={} revision={}", file.path(), view.revision(), reason);
            failed = true;
        }
    }

    private List<List<Outcome>> commit(List<PendingWrite<StoreWrite>> group) throws SQLException {
        if (failed) {
            reopen();
        }
        Draft draft = view.draft();
        List<List<Outcome>> outcomes =
                group.stream().map(write -> draft.decide(write.writes())).toList();
        log.commit(draft);
        view.publish(draft);
        return outcomes;
    }

    /// After a failure the truth is what the file says. If it says more than was answered, then the group that failed
    /// is there, readers have not seen it, and only a new start can tell them.
    private void reopen() throws SQLException {
        log.close();
        log = SqliteLog.open(file);
        if (!log.revision().equals(view.revision())) {
            throw new StoreException("%s is at revision %s, but %s was the last one answered; start again"
                    .formatted(file.path(), log.revision(), view.revision()));
        }
    }
}
