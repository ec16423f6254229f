package io.fairlead.store;

import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Revision;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A disk that takes no more: the kernel's limit on the size of a file makes the writes of a process fail for real.
@Timeout(60)
final class SqliteFailureTest {
    @TempDir
    private Path directory;

    @Test
    void a_write_that_the_disk_does_not_take_is_refused_and_the_store_goes_on_when_there_is_room() throws Exception {
        Path file = directory.resolve("store.db");
        try (Child child = Child.start(StubbornMain.class, directory, file.toString())) {
            child.awaitLine("open");
            limitFileSize(child, "300000");
            child.awaitLines(2);
            limitFileSize(child, "unlimited");
            assertThat(child.awaitEnd()).isZero();
            assertThat(child.lines().get(1)).startsWith("UNAVAILABLE cannot write the store %s: ".formatted(file));
            int answered = Integer.parseInt(child.lines().get(2).replace("answered ", ""));
            try (Store store = SqliteStore.open(file)) {
                assertThat(store.list("").items()).hasSize(answered);
                assertThat(store.list("").revision().value()).isEqualTo(answered);
                assertThat(store.find("after")).isPresent();
            }
        }
    }

    @Test
    void a_commit_that_was_reported_as_failed_but_is_in_the_file_is_shown_to_readers_without_a_new_start()
            throws Exception {
        Path file = directory.resolve("store.db");
        try (Store store = SqliteStore.open(file);
                Store.Watch watch = store.watch("", Revision.ZERO);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            putNew(store, "a", "one");
            // What an uncertain commit leaves: the writer's own attempt fails, the change is in the file.
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> putNew(store, "b", "two")).isInstanceOf(StoreException.class);
            assertThat(store.trouble()).isPresent();
            statement.execute("INSERT INTO change VALUES (2, 0, 'b', CAST('two' AS BLOB))");
            statement.execute("COMMIT");

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(store.trouble()).isEmpty());
            assertThat(store.find("b").map(Reading::text)).contains("two");
            assertThat(readText(watch, 2)).containsExactly("1 put a=one", "2 put b=two");
            assertThat(putNew(store, "c", "three")).isEqualTo(new Revision(3));
        }
    }

    @Test
    void the_file_shrinks_when_its_history_is_forgotten() throws Exception {
        Path file = directory.resolve("store.db");
        Revision newest = Revision.ZERO;
        try (Store store = SqliteStore.open(file)) {
            for (int i = 0; i < 2_000; i++) {
                newest = put(store, "a", "x".repeat(4_000), newest);
            }
        }
        int before = number(file, "PRAGMA page_count");
        try (Store store = SqliteStore.open(file)) {
            store.compact(newest);
        }
        assertThat(before).isGreaterThan(2_000);
        assertThat(number(file, "PRAGMA page_count")).isLessThan(before / 4);
        try (Store store = SqliteStore.open(file)) {
            assertThat(store.revision()).isEqualTo(newest);
        }
    }

    @Test
    void a_file_of_before_stores_could_shrink_is_taken_over() throws Exception {
        Path file = directory.resolve("store.db");
        try (Store store = SqliteStore.open(file)) {
            putNew(store, "a", "one");
        }
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA auto_vacuum = NONE");
            statement.execute("VACUUM");
        }
        try (Store store = SqliteStore.open(file)) {
            assertThat(store.find("a")).isPresent();
        }
        assertThat(number(file, "PRAGMA auto_vacuum")).isEqualTo(2);
    }

    private static int number(Path file, String question) throws SQLException {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement();
                ResultSet answer = statement.executeQuery(question)) {
            return answer.getInt(1);
        }
    }

    private static void limitFileSize(Child child, String bytes) throws IOException, InterruptedException {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(child.pid()), "--fsize=" + bytes + ":")
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }
}
