package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.containers.ContainerSpec.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every runtime of containers does.
interface RuntimeContract {
    Duration PATIENCE = Duration.ofSeconds(20);
    Duration RUNC_GIVES_UP = Duration.ofSeconds(10);

    /// A runtime on the state that others of this test may have left.
    ContainerRuntime runtime();

    Path folder();

    @Test
    default void a_program_waits_until_it_is_started_and_its_end_is_known() throws Exception {
        ContainerSpec spec = TestSpecs.of(folder(), "waits", "sh", "-c", "echo out $A; echo err >&2; hostname; exit 7");
        RuntimeContainer container = runtime().prepare(spec);
        assertThat(output(spec)).isEmpty();
        assertThat(container.processes().keeper().isAlive()).isTrue();

        container.start();

        awaitEnd(container);
        assertThat(container.ending()).isEqualTo(new Ending(7, "Error"));
        assertThat(output(spec)).isEqualTo("out b c\ninside\n");
        assertThat(Files.readString(spec.streams().errors())).isEqualTo("err\n");
    }

    @Test
    default void a_container_is_found_again_by_the_next_process_and_tells_how_it_ended() throws Exception {
        ContainerSpec spec = TestSpecs.of(folder(), "found", "sleep", "1000");
        runtime().prepare(spec).start();

        RuntimeContainer found = runtime().find(spec.id()).orElseThrow();
        assertThat(runtime().list("pod")).contains(spec.id());
        found.signal("KILL");
        awaitEnd(found);

        assertThat(runtime().find(spec.id()).orElseThrow().ending()).isEqualTo(new Ending(137, "Error"));
    }

    @Test
    default void another_program_enters_with_no_more_rights_than_the_first() throws Exception {
        ContainerSpec spec = TestSpecs.with(
                TestSpecs.of(folder(), "entered", "sleep", "1000"),
                new User(65534, 65534, List.of()),
                TestSpecs.STANDARD,
                new MachineRoot(folder().resolve("machine")).binds());
        RuntimeContainer container = runtime().prepare(spec);
        container.start();

        Process process = new ProcessBuilder(container.enter(
                        List.of(
                                "sh",
                                "-c",
                                "id -u; hostname; grep -E 'CapEff|Seccomp:|NoNewPrivs' /proc/self/status; exit 5"),
                        false))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(5);
        assertThat(output)
                .startsWith("65534\ninside\n")
                .contains("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2");
    }

    @Test
    default void what_one_container_writes_no_other_sees_and_the_image_stays_as_it_is() throws Exception {
        ContainerSpec first = TestSpecs.of(folder(), "writes", "sh", "-c", "echo mine > /srv/file; ls /srv");
        ContainerSpec second = TestSpecs.of(folder(), "reads", "ls", "/srv");
        runTo(first);
        runTo(second);

        assertThat(output(first)).isEqualTo("file\n");
        assertThat(output(second)).isEmpty();
        assertThat(folder().resolve("machine/srv")).isEmptyDirectory();
    }

    @Test
    default void a_program_that_is_not_there_is_said_and_leaves_nothing() {
        ContainerSpec spec = TestSpecs.of(folder(), "nothing", "no-such-program");

        assertThatThrownBy(() -> runtime().prepare(spec))
                .isInstanceOf(NodeException.class)
                .hasMessageContaining("no-such-program")
                .hasMessageContaining("not found");
        assertThat(runtime().find(spec.id())).isEmpty();
        assertThat(runtime().list("pod")).doesNotContain(spec.id());
    }

    @Test
    default void a_container_that_takes_too_much_memory_ends_for_that_reason() throws Exception {
        ContainerSpec spec = TestSpecs.with(
                TestSpecs.of(folder(), "greedy", "perl", "-e", "my $x = 'x' x (200 << 20); sleep 100"),
                TestSpecs.limits(32 << 20));
        RuntimeContainer container = runtime().prepare(spec);
        container.start();

        awaitEnd(container);
        assertThat(container.ending()).isEqualTo(new Ending(137, "OOMKilled"));
    }

    @Test
    default void a_removed_container_leaves_no_process_and_is_known_no_more() throws Exception {
        ContainerSpec spec = TestSpecs.of(folder(), "removed", "sh", "-c", "sleep 1000 & sleep 1000");
        RuntimeContainer container = runtime().prepare(spec);
        container.start();
        long program = container.processes().program();

        runtime().remove(spec.id());
        runtime().remove(spec.id());

        assertThat(ProcessId.find(program)).isEmpty();
        awaitEnd(container);
        assertThat(runtime().find(spec.id())).isEmpty();
    }

    @Test
    default void a_container_is_removed_while_no_client_reads_what_a_program_in_it_prints() throws Exception {
        ContainerSpec spec = TestSpecs.of(folder(), "unread", "sleep", "1000");
        RuntimeContainer container = runtime().prepare(spec);
        container.start();
        // More than all pipes on its way hold, so that each of them waits for the next.
        Process entered = new ProcessBuilder(container.enter(List.of("seq", "1", "100000"), false)).start();
        try {
            await().atMost(PATIENCE).until(() -> entered.getInputStream().available() > 60_000);
            assertThat(entered.isAlive()).isTrue();

            Instant begin = Instant.now();
            runtime().remove(spec.id());

            assertThat(Duration.between(begin, Instant.now())).isLessThan(RUNC_GIVES_UP);
            assertThat(entered.isAlive())
                    .as("its keeper still has something to print")
                    .isTrue();
        } finally {
            entered.destroyForcibly();
        }
    }

    private void runTo(ContainerSpec spec) throws InterruptedException {
        RuntimeContainer container = runtime().prepare(spec);
        container.start();
        awaitEnd(container);
    }

    private static void awaitEnd(RuntimeContainer container) {
        await().atMost(PATIENCE).until(() -> !container.processes().keeper().isAlive());
    }

    private static String output(ContainerSpec spec) throws IOException {
        return Files.readString(spec.streams().output());
    }
}
