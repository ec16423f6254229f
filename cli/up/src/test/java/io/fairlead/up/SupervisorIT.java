package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.lab.LabException;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RequiresRoot
final class SupervisorIT {
    @TempDir
    private Path dir;

    private final StringWriter told = new StringWriter();
    private final Supervisor supervisor = new Supervisor("test", new UpConsole(new PrintWriter(told), Instant.now()));
    private NetworkNamespace namespace;

    @BeforeEach
    void make() {
        namespace = NetworkNamespace.create("flsup" + ProcessHandle.current().pid());
    }

    @AfterEach
    void remove() {
        supervisor.close();
        namespace.delete();
    }

    @Test
    void a_child_that_is_killed_starts_again_and_a_line_says_so() {
        supervisor.keepUp(child("sleep", "600"));
        await().until(() -> supervisor.pids().containsKey("child"));
        long first = supervisor.pids().getOrDefault("child", 0L);
        assertThat(namespace.processes()).containsExactly(first);

        ProcessHandle.of(first).orElseThrow().destroyForcibly();
        await().until(() -> supervisor.pids().getOrDefault("child", first) != first);
        assertThat(told.toString()).contains("child ended with code 137; it starts again in");
        supervisor.check();
    }

    @Test
    void a_child_that_ends_too_often_is_given_up_with_the_end_of_its_log() {
        supervisor.keepUp(child("sh", "-c", "echo no such file; exit 3"));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatExceptionOfType(LabException.class)
                        .isThrownBy(supervisor::check)
                        .withMessageContaining("child ended more than 5 times in a minute, the last time with code 3")
                        .withMessageEndingWith("  no such file"));
        assertThat(supervisor.pids()).isEmpty();
    }

    @Test
    void the_end_of_a_log_is_its_last_twenty_lines() throws IOException {
        Child child = child("true");
        Files.writeString(
                child.log(),
                IntStream.rangeClosed(1, 10_000)
                        .mapToObj(i -> "line " + i + "\n")
                        .collect(Collectors.joining()));
        assertThat(child.tail().lines()).hasSize(20).first().isEqualTo("  line 9981");
        child.emptyLog();
        assertThat(child.tail()).isEmpty();
    }

    @Test
    void a_child_that_cannot_be_started_is_told() {
        supervisor.keepUp(new Child("child", "no-such-namespace", List.of("true"), dir.resolve("child.log")));
        await().untilAsserted(() -> assertThatExceptionOfType(LabException.class)
                .isThrownBy(supervisor::check)
                .withMessage("child cannot be started: network namespace no-such-namespace is gone"));
    }

    @Test
    void closing_ends_all_children() {
        supervisor.keepUp(child("sleep", "600"));
        await().until(() -> !namespace.processes().isEmpty());
        supervisor.close();
        assertThat(namespace.processes()).isEmpty();
    }

    private Child child(String... command) {
        return new Child("child", namespace.name(), List.of(command), dir.resolve("child.log"));
    }
}
