package io.fairlead.store;

import static io.fairlead.store.Reading.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Stored;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes is killed at any moment: what it was answered is there, and no revision is there twice.
@Timeout(120)
final class SqliteCrashTest {
    @TempDir
    private Path directory;

    private final Random random = new Random();

    /// `put key` or `delete key`, by the revision that was answered, over all rounds.
    private final SortedMap<Long, String> answers = new TreeMap<>();

    @Test
    void every_answered_write_survives_a_kill_and_the_history_has_no_gap() throws Exception {
        for (int round = 0; round < 10; round++) {
            writeAndKill("round" + round);
            try (Store store = open()) {
                SortedMap<Long, String> history = history(store);
                assertThat(history).containsAllEntriesOf(answers);
                assertThat(newest(store)).isEqualTo(replay(history));
            }
        }
        assertThat(answers).hasSizeGreaterThan(100);
    }

    @Test
    void a_kill_during_a_compaction_loses_no_value_and_no_revision_is_given_again() throws Exception {
        for (int round = 1; round <= 4; round++) {
            writeAndKill("round" + round, "compact");
            try (Store store = open()) {
                Map<String, Long> newest = newest(store);
                Map<String, Long> answered = replay(answers);
                // each writer had one write on its way when the kill came: it is there or it is not
                assertThat(differing(newest, answered)).hasSizeLessThanOrEqualTo(round * BusyMain.WRITERS);
                assertThat(store.list("").revision().value()).isGreaterThanOrEqualTo(answers.lastKey());
            }
        }
    }

    private Store open() {
        return SqliteStore.open(directory.resolve("store.db"));
    }

    private void writeAndKill(String... roundAndMode) throws Exception {
        String file = directory.resolve("store.db").toString();
        try (Child child = Child.start(BusyMain.class, directory, file, roundAndMode)) {
            child.awaitLines(2); // it is open, and has had its first answer
            child.killAfter(Duration.ofMillis(random.nextInt(1, 500)));
            child.lines().stream().skip(1).forEach(this::remember);
        }
        assertThat(directory.resolve("tmp")).isEmptyDirectory();
    }

    private void remember(String line) {
        int space = line.lastIndexOf(' ');
        String other = answers.put(Long.valueOf(line.substring(space + 1)), line.substring(0, space));
        assertThat(other).as("the revision of '%s' was given before", line).isNull();
    }

    /// The whole history, in the form of the answers.
    private static SortedMap<Long, String> history(Store store) throws InterruptedException {
        SortedMap<Long, String> history = new TreeMap<>();
        int length = (int) store.list("").revision().value();
        try (Store.Watch watch = store.watch("", Revision.ZERO)) {
            List<Change> changes = read(watch, length);
            assertThat(changes)
                    .extracting(change -> change.revision().value())
                    .isEqualTo(LongStream.rangeClosed(1, length).boxed().toList());
            changes.forEach(change -> history.put(change.revision().value(), describe(change)));
        }
        return history;
    }

    private static String describe(Change change) {
        return switch (change) {
            case Change.Put put -> "put " + put.key();
            case Change.Delete delete -> "delete " + delete.key();
        };
    }

    /// The keys that are left after these writes, each with its newest revision.
    private static Map<String, Long> replay(SortedMap<Long, String> writes) {
        Map<String, Long> newest = new HashMap<>();
        writes.forEach((revision, write) -> {
            String key = write.substring(write.indexOf(' ') + 1);
            if (write.startsWith("put ")) {
                newest.put(key, revision);
            } else {
                newest.remove(key);
            }
        });
        return newest;
    }

    private static Map<String, Long> newest(Store store) {
        Map<String, Long> newest = new HashMap<>();
        for (Stored stored : store.list("").items()) {
            assertThat(Reading.text(stored)).endsWith(stored.key());
            newest.put(stored.key(), stored.revision().value());
        }
        return newest;
    }

    private static Set<String> differing(Map<String, Long> one, Map<String, Long> other) {
        Set<String> keys = new TreeSet<>(one.keySet());
        keys.addAll(other.keySet());
        keys.removeIf(key -> Objects.equals(one.get(key), other.get(key)));
        return keys;
    }
}
