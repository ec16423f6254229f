package io.fairlead.store;

import static io.fairlead.store.Reading.done;
import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.readText;
import static io.fairlead.store.Reading.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Stored;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest implements StoreContract {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("store.db");
    }

    @Override
    public Store open() {
        return SqliteStore.open(file());
    }

    @Test
    void a_store_that_is_opened_again_has_its_values_its_history_and_its_revision() throws Exception {
        try (Store store = open()) {
            Revision a = putNew(store, "a", "one");
            putNew(store, "b", "");
            put(store, "a", "two", a);
        }
        try (Store store = open();
                Store.Watch watch = store.watch("", Revision.ZERO)) {
            assertThat(store.list("").items()).extracting(Stored::key).containsExactly("a", "b");
            assertThat(store.list("").items()).extracting(Reading::text).containsExactly("two", "");
            assertThat(store.list("").revision()).isEqualTo(new Revision(3));
            assertThat(readText(watch, 3)).containsExactly("1 put a=one", "2 put b=", "3 put a=two was one@1");
            assertThat(putNew(store, "c", "three")).isEqualTo(new Revision(4));
        }
    }

    @Test
    void a_revision_is_not_used_again_after_its_row_was_deleted_and_compacted() {
        try (Store store = open()) {
            putNew(store, "a", "one");
            Revision gone = done(store.delete("b", putNew(store, "b", "two")));
            store.compact(gone);
        }
        try (Store store = open()) {
            assertThat(store.list("").revision()).isEqualTo(new Revision(3));
            assertThat(store.list("").items()).extracting(Stored::key).containsExactly("a");
            assertThatThrownBy(() -> store.watch("", new Revision(2))).isInstanceOf(CompactedException.class);
            assertThat(putNew(store, "c", "three")).isEqualTo(new Revision(4));
        }
    }

    @Test
    void a_change_after_the_compaction_still_knows_the_value_before_it() throws Exception {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            Revision second = put(store, "a", "two", first);
            store.compact(second);
            store.delete("a", put(store, "a", "three", second));
        }
        try (Store store = open();
                Store.Watch watch = store.watch("", new Revision(2))) {
            assertThat(readText(watch, 2)).containsExactly("3 put a=three was two@2", "4 delete a was three@3");
        }
    }

    @Test
    void compaction_leaves_one_row_for_each_key() throws Exception {
        try (Store store = open()) {
            Revision last = Revision.ZERO;
            for (int i = 0; i < 1_100; i++) {
                last = put(store, "a", "value" + i, last);
            }
            done(store.delete("b", putNew(store, "b", "two")));
            store.compact(store.list("").revision());
        }
        assertThat(query("SELECT group_concat(revision || ' ' || key) FROM change"))
                .isEqualTo("1100 a");
        assertThat(query("SELECT up_to FROM compaction")).isEqualTo("1102");
    }

    @Test
    void large_values_come_back_from_the_history_too() throws Exception {
        String large = "x".repeat(1 << 20);
        try (Store store = open()) {
            for (int i = 0; i < 10; i++) {
                putNew(store, "key" + i, large);
            }
            try (Store.Watch watch = store.watch("", Revision.ZERO)) {
                assertThat(Reading.read(watch, 10))
                        .hasSize(10)
                        .allSatisfy(change -> assertThat(text(change)).endsWith(large));
            }
        }
    }

    @Test
    void writes_that_wait_when_the_store_closes_are_durable_if_they_were_answered() throws Exception {
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            Store store = open();
            Future<Integer> writing = writers.submit(() -> createUntilClosed(store));
            try (Store.Watch watch = store.watch("", Revision.ZERO)) {
                assertThat(Reading.read(watch, 20)).hasSizeGreaterThanOrEqualTo(20);
            }
            store.close();
            int answered = writing.get();
            try (Store again = open()) {
                assertThat(again.list("").items()).hasSize(answered);
            }
        }
    }

    private static int createUntilClosed(Store store) {
        int answered = 0;
        try {
            while (true) {
                putNew(store, "key" + answered, "value");
                answered++;
            }
        } catch (StoreException e) {
            return answered;
        }
    }

    @Test
    void a_file_that_is_open_is_refused() {
        try (Store _ = open()) {
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(this::open)
                        .isInstanceOf(StoreException.class)
                        .hasMessage("the store %s is in use by this process: only one may have it open", file());
            }
        }
        open().close();
    }

    @Test
    void a_file_that_another_process_has_open_is_refused_with_its_number() throws Exception {
        try (Store _ = open()) {
            assertThatThrownBy(this::open).isInstanceOf(StoreException.class);
            try (Child child = Child.start(OpenMain.class, directory, file().toString())) {
                assertThat(child.awaitEnd()).isOne();
                assertThat(child.lines())
                        .containsExactly("the store %s is in use by process %d: only one may have it open"
                                .formatted(file(), ProcessHandle.current().pid()));
            }
        }
    }

    @Test
    void only_the_owner_may_read_the_files() throws Exception {
        try (Store store = open()) {
            putNew(store, "secret", "value");
            try (var files = Files.list(directory)) {
                assertThat(files.toList())
                        .hasSize(4)
                        .allSatisfy(
                                file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                                        .isEqualTo("rw-------"));
            }
        }
    }

    @Test
    void a_file_that_is_not_a_store_is_refused_and_left_as_it_is() throws Exception {
        Files.writeString(file(), "this is a letter, and a long one, to no reader in particular".repeat(100));
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("cannot open the store " + file())
                .hasMessageContaining("not a database");
        assertThat(file()).content().startsWith("this is a letter");
    }

    @Test
    void a_file_of_a_later_format_is_refused() throws Exception {
        open().close();
        query("PRAGMA user_version = 2");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessage("the store %s has format 2: this program knows format 1", file());
        query("PRAGMA user_version = 1");
        open().close();
    }

    @Test
    void a_directory_that_is_not_there_is_named() {
        Path lost = directory.resolve("lost").resolve("store.db");
        assertThatThrownBy(() -> SqliteStore.open(lost))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot open the store " + lost)
                .hasMessageContaining("NoSuchFile");
    }

    private String query(String sentence) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            boolean hasRows = statement.execute(sentence);
            return hasRows ? statement.getResultSet().getString(1) : "";
        }
    }
}
