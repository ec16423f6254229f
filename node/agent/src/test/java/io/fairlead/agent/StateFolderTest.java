package io.fairlead.agent;

import static io.fairlead.agent.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.Ip;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.ProcessId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StateFolderTest {
    @TempDir
    private Path folder;

    @Test
    void what_is_saved_is_read_back_whole() {
        PodRecord crashed = TestPods.exited(TestPods.running(TestPods.pod()), 3, NOW.plusSeconds(5));
        PodRecord record = crashed.with("echo", c -> c.started(new ProcessId(7, 8), NOW.plusSeconds(6)))
                .withAddresses(List.of(Ip.parse("10.1.0.2"), Ip.parse("fd00::2")))
                .withStage(new Stage.Signalled(NOW.plusSeconds(7)));
        try (StateFolder state = StateFolder.open(folder)) {
            state.save(crashed);
            state.save(record);
        }

        try (StateFolder state = StateFolder.open(folder)) {
            assertThat(state.records()).containsExactly(record);
            state.remove(record);
            assertThat(state.records()).isEmpty();
        }
    }

    @Test
    void a_record_that_is_no_json_is_set_aside_with_the_files_of_its_pod() throws IOException {
        try (StateFolder state = StateFolder.open(folder)) {
            state.save(TestPods.running(TestPods.pod()));
            Path broken = Files.createDirectories(folder.resolve("pods/broken"));
            Files.writeString(broken.resolve("record.json"), "{\"uid\": \"u-");
            Files.writeString(broken.resolve("data"), "of an emptyDir");

            assertThat(state.records()).hasSize(1);
            assertThat(broken).doesNotExist();
            try (Stream<Path> kept = Files.walk(folder.resolve("set-aside"))) {
                assertThat(kept.map(Path::getFileName).map(Path::toString)).contains("record.json", "data");
            }
        }
    }

    @Test
    void a_record_that_cannot_be_read_now_is_an_error_and_stays() throws IOException {
        try (StateFolder state = StateFolder.open(folder)) {
            Path unreadable = Files.createDirectories(folder.resolve("pods/unreadable/record.json")); // a folder
            assertThatThrownBy(state::records).isInstanceOf(NodeException.class);
            assertThat(unreadable).exists();
        }
    }

    @Test
    void an_interrupted_thread_still_writes_down_what_it_did() {
        PodRecord record = TestPods.running(TestPods.pod());
        try (StateFolder state = StateFolder.open(folder)) {
            Thread.currentThread().interrupt();
            state.save(record);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(state.records()).containsExactly(record);
        }
    }

    @Test
    void two_agents_do_not_share_a_folder() {
        try (StateFolder _ = StateFolder.open(folder)) {
            assertThatThrownBy(() -> StateFolder.open(folder))
                    .isInstanceOf(NodeException.class)
                    .hasMessageContaining("another node agent works in " + folder);
        }
    }

    @Test
    void of_the_logs_the_last_and_the_one_before_are_kept() throws IOException {
        PodRecord record = TestPods.record(TestPods.pod());
        try (StateFolder state = StateFolder.open(folder)) {
            state.save(record);
            for (int restarts = 0; restarts < 4; restarts++) {
                Files.createFile(state.startLog(record, "echo", restarts));
            }

            assertThat(state.folder(record).resolve("logs").toFile().list())
                    .containsExactlyInAnyOrder("echo.2.log", "echo.3.log");
        }
    }
}
