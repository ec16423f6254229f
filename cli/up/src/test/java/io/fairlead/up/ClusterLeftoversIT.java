package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.lab.LabException;
import io.fairlead.lab.LabNetwork;
import io.fairlead.lab.Topology;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a cluster leaves, and how it goes. A namespace plays the machine, so that the real one is not touched.
@RequiresRoot
final class ClusterLeftoversIT {
    private static final String CLUSTER = "flleft" + ProcessHandle.current().pid();
    private static final Topology TOPOLOGY = Topology.of(CLUSTER, 2);

    @TempDir
    private Path dir;

    private NetworkNamespace machine;

    @BeforeEach
    void makeMachine() {
        machine = NetworkNamespace.create("flhost" + ProcessHandle.current().pid());
    }

    @AfterEach
    void remove() {
        machine.run(() -> ClusterLeftovers.remove(CLUSTER, dir));
        machine.delete();
    }

    @Test
    void cleaning_up_says_what_it_removed_and_may_be_repeated() throws IOException {
        machine.run(() -> LabNetwork.build(TOPOLOGY).joinHost());
        Files.writeString(dir.resolve(UpFile.NAME), "{}");
        List<String> removed = machine.call(() -> ClusterLeftovers.remove(CLUSTER, dir));
        assertThat(removed)
                .containsExactly(
                        "link %s and its routes".formatted(TOPOLOGY.hostLink()),
                        "network namespace " + CLUSTER,
                        "network namespace " + CLUSTER + "-client",
                        "network namespace " + CLUSTER + "-node-1",
                        "network namespace " + CLUSTER + "-node-2",
                        dir.resolve(UpFile.NAME).toString());
        assertThat(machine.call(() -> ClusterLeftovers.remove(CLUSTER, dir))).isEmpty();
    }

    @Test
    void a_cluster_that_runs_is_not_cleaned_up() {
        try (ClusterLock _ = ClusterLock.take(CLUSTER, dir)) {
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> ClusterLeftovers.remove(CLUSTER, dir))
                    .withMessageContaining("is running already");
        }
        assertThat(machine.call(() -> ClusterLeftovers.remove(CLUSTER, dir))).isEmpty();
    }
}
