package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.lab.HostView;
import io.fairlead.lab.LabException;
import io.fairlead.lab.Remains;
import io.fairlead.lab.Topology;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.RequiresRoot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How `up` fails and ends. That it works is shown where all programs of the cluster are at hand, in `dist`.
@RequiresRoot
final class UpIT {
    private static final String CLUSTER = "flup" + ProcessHandle.current().pid();

    @TempDir
    private Path dir;

    private final StringWriter told = new StringWriter();

    @AfterEach
    void remove() {
        ClusterLeftovers.remove(CLUSTER, dir);
    }

    @Test
    void programs_that_always_crash_end_the_cluster_with_the_end_of_a_log() {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(up("echo I cannot run here; exit 3")::run)
                .withMessageContaining("ended more than 5 times in a minute")
                .withMessageContaining("I cannot run here");
        assertNothingLeft();
    }

    @Test
    void an_interrupt_while_the_cluster_starts_leaves_nothing() {
        try (TaskGroup tasks = new TaskGroup("test")) {
            tasks.run("up", up("sleep 600")::run);
            await().until(() -> Remains.of(CLUSTER).processes().size() >= 3);
        }
        assertNothingLeft();
        assertThat(told.toString()).endsWith("Nothing of it is left but its state and logs in %s.\n".formatted(dir));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 50, 100, 150, 200, 300, 500})
    void an_interrupt_at_any_moment_is_an_end_in_good_order(int millis) {
        AtomicReference<String> end = new AtomicReference<>("none");
        try (TaskGroup tasks = new TaskGroup("test")) {
            tasks.run("up", () -> {
                try {
                    up("sleep 600").run();
                } catch (InterruptedException e) {
                    end.set("interrupted");
                }
            });
            LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
        }
        assertThat(end).hasValue("interrupted");
        assertNothingLeft();
    }

    @Test
    void a_second_up_says_who_runs_already() {
        try (TaskGroup tasks = new TaskGroup("test")) {
            tasks.run("up", up("sleep 600")::run);
            await().until(() -> Remains.of(CLUSTER).processes().size() >= 3);
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(up("sleep 600")::run)
                    .withMessageContaining(
                            "is held by process %d", ProcessHandle.current().pid());
            assertThat(Remains.of(CLUSTER).processes()).hasSizeGreaterThanOrEqualTo(3);
        }
        assertNothingLeft();
    }

    @Test
    void what_a_killed_cluster_left_is_named_and_not_touched() {
        NetworkNamespace left = NetworkNamespace.create(CLUSTER + "-node-1");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(up("sleep 600")::run)
                .withMessage(
                        "a cluster named %s was killed and left things behind (network namespaces %s):"
                                + " \"./fairlead cleanup --name %s\" removes them",
                        CLUSTER, left.name(), CLUSTER);
        assertThat(NetworkNamespace.find(left.name())).isPresent();
    }

    @Test
    void an_address_that_the_machine_has_already_stops_it_before_anything_is_made() {
        NetworkNamespace machine = NetworkNamespace.create("flmachine" + CLUSTER);
        try {
            machine.run(() -> {
                try (RouteSocket route = RouteSocket.open()) {
                    route.addAddress("lo", Ip.parse("10.96.0.1"), 32);
                }
            });
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> machine.call(() -> {
                        up("sleep 600").run();
                        return "";
                    }))
                    .withMessage("this machine has the address 10.96.0.1 on lo,"
                            + " and the cluster needs 10.96.0.0/16 for Services");
            assertNothingLeft();
        } finally {
            machine.delete();
        }
    }

    /// An `up` whose programs all run this line of shell.
    private Up up(String line) {
        UpConfig.Launcher launcher = new UpConfig.Launcher(List.of("sh", "-c", line), "./fairlead");
        return new Up(
                new UpConfig(Topology.of(CLUSTER, 2), "nftables", dir, launcher, new OpenKeys()),
                new PrintWriter(told));
    }

    private static void assertNothingLeft() {
        Remains remains = Remains.of(CLUSTER);
        assertThat(remains.namespaces()).isEmpty();
        assertThat(remains.hasHostLink()).isFalse();
        assertThat(HostView.read().routes())
                .extracting(HostView.Taken::block)
                .doesNotContainAnyElementsOf(Topology.of(CLUSTER, 2).reachedFromHost());
    }
}
