package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.StoreLocation;
import io.fairlead.testkit.EtcdCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a server does at its start where its store is away.
@Timeout(120)
final class StoreWaitIT {
    @Test
    void an_etcd_that_is_away_is_waited_for() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(1);
                TaskGroup tasks = new TaskGroup("test")) {
            StoreLocation location = StoreLocation.parse("etcd:" + etcd.addresses());
            etcd.kill();
            AtomicReference<Store> opened = new AtomicReference<>();
            tasks.run("open", () -> opened.set(StoreWait.open(location)));
            assertThatThrownBy(location::open).isInstanceOf(StoreException.class); // so one try is not enough
            assertThat(opened.get()).isNull();

            etcd.run();
            await().atMost(Duration.ofSeconds(60)).until(() -> opened.get() != null);
            opened.get().close();
        }
    }

    @Test
    void a_file_that_cannot_be_opened_is_an_error_at_once(@TempDir Path folder) throws Exception {
        Path file =
                Files.writeString(folder.resolve("store.db"), "this is not a database, and never will be\n".repeat(99));
        StoreLocation location = StoreLocation.parse("sqlite:" + file);
        assertThatThrownBy(() -> StoreWait.open(location)).isInstanceOf(StoreException.class);
    }
}
