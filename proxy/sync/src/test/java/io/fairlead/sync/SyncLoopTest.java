package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryEntry;
import io.fairlead.testkit.MemoryKernel;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SyncLoopTest {
    private static final HealthCheckServers CHECKS =
            new HealthCheckServers(() -> true, new EventSender("test", InstantSource.system()));

    private final MemoryKernel kernel = new MemoryKernel();
    private final Latest<Snapshot> snapshots = new Latest<>();
    private final TaskGroup tasks = new TaskGroup("test");

    @AfterEach
    void stop() {
        tasks.close();
    }

    @Test
    void the_newest_snapshot_is_programmed() {
        start(snapshots);
        for (int pod = 1; pod <= 50; pod++) {
            snapshots.offer(TestCluster.withPod(pod));
        }
        awaitProgram(TestCluster.withPod(50));
        snapshots.offer(Snapshot.EMPTY);
        awaitProgram(Snapshot.EMPTY);
    }

    @Test
    void nothing_is_touched_before_the_first_snapshot() {
        Program<MemoryEntry> before = TestCluster.program(TestCluster.withPod(1));
        new MemoryBackend(kernel).apply(Patch.between(Program.of(List.of()), before));
        start(snapshots);
        await().during(Duration.ofMillis(100)).until(() -> kernel.program().equals(before));
        snapshots.offer(TestCluster.withPod(2));
        awaitProgram(TestCluster.withPod(2));
    }

    @Test
    void it_converges_after_the_kernel_refused() {
        kernel.refuse(3);
        start(snapshots);
        snapshots.offer(TestCluster.withPod(1));
        awaitProgram(TestCluster.withPod(1));
    }

    @Test
    void a_snapshot_that_comes_during_failures_is_the_one_that_is_programmed() {
        kernel.refuse(2);
        start(snapshots);
        snapshots.offer(TestCluster.withPod(1));
        snapshots.offer(TestCluster.withPod(2));
        awaitProgram(TestCluster.withPod(2));
    }

    @Test
    void what_another_program_removed_is_there_again_after_the_next_change() {
        start(snapshots);
        snapshots.offer(TestCluster.withPod(1));
        awaitProgram(TestCluster.withPod(1));
        kernel.flush();
        snapshots.offer(TestCluster.withPod(2));
        awaitProgram(TestCluster.withPod(2));
    }

    @Test
    void a_restarted_loop_goes_on_from_what_it_finds() {
        Snapshot snapshot = TestCluster.withPod(1);
        try (TaskGroup first = new TaskGroup("first")) {
            start(snapshots, first, journal());
            snapshots.offer(snapshot);
            awaitProgram(snapshot);
        }
        int changes = kernel.applied();

        SyncJournal journal = journal();
        Latest<Snapshot> again = new Latest<>();
        start(again, tasks, journal);
        again.offer(snapshot);
        await().until(() -> journal.last().isPresent());
        assertThat(kernel.applied())
                .as("nothing differs, so nothing is written")
                .isEqualTo(changes);

        again.offer(TestCluster.withPod(2));
        awaitProgram(TestCluster.withPod(2));
    }

    private void start(Latest<Snapshot> box) {
        start(box, tasks, journal());
    }

    private void start(Latest<Snapshot> box, TaskGroup group, SyncJournal journal) {
        Modes modes = new Modes((_, _) -> new MemoryBackend(kernel), List.of(), TestCluster.NODE, TestCluster.MEMORY);
        FlowSweeper sweeper = new FlowSweeper(new PrometheusRegistry());
        group.run("sync", new SyncLoop(box, new NodeView(TestCluster.NODE), modes, sweeper, CHECKS, journal)::run);
    }

    private static SyncJournal journal() {
        InstantSource clock = InstantSource.system();
        Health health = new Health(Duration.ofMinutes(1), Instant.EPOCH);
        PrometheusRegistry registry = new PrometheusRegistry();
        EventSender events = new EventSender("test", clock);
        return new SyncJournal(
                clock,
                new SyncJournal.Readers(
                        health,
                        new SyncMetrics(registry),
                        new Acknowledgements("node-a"),
                        new NoteReport(events, registry),
                        new DriftReport("node-a", events, registry)));
    }

    private void awaitProgram(Snapshot snapshot) {
        Program<MemoryEntry> wanted = TestCluster.program(snapshot);
        await().untilAsserted(() -> assertThat(kernel.program().text()).isEqualTo(wanted.text()));
    }
}
