package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.PodNames;
import io.fairlead.containers.ProcessId;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of pods when their agent ends, is killed, or is not to come back.
@RequiresRoot
final class NodeRestartIT {
    @TempDir
    private Path folder;

    private NodeLab lab;

    @BeforeEach
    void start() throws InterruptedException {
        lab = new NodeLab(folder);
    }

    @AfterEach
    void stop() throws InterruptedException {
        lab.close();
    }

    @Test
    void pods_outlive_a_killed_agent_and_the_next_one_takes_them_over() throws InterruptedException {
        Process agent = lab.startAgent();
        for (String name : new String[] {"stays", "deleted", "crashes"}) {
            lab.createEcho(name);
        }
        Pod stays = lab.awaitReady("stays");
        Pod deleted = lab.awaitReady("deleted");
        Pod crashes = lab.awaitReady("crashes");
        long process = lab.processOf(stays);

        agent.destroyForcibly().waitFor();
        assertThat(NodeLab.get(lab.node(), stays.status().podIps().getFirst())).contains("pod: stays\n");
        lab.delete("deleted", -1);
        ProcessHandle.of(lab.processOf(crashes)).orElseThrow().destroyForcibly();
        lab.createEcho("new");
        lab.startAgent();

        lab.awaitReady("new");
        lab.awaitGone("deleted");
        await().atMost(PATIENCE).until(() -> restarts("crashes") == 1);
        assertThat(NetworkNamespace.find(
                        PodNames.of(NodeLab.POD_PREFIX, deleted).namespace()))
                .isEmpty();
        lab.awaitReady("crashes");
        assertThat(lab.processOf(stays)).isEqualTo(process);
        assertThat(restarts("stays")).isZero();
        assertThat(lab.find("stays").orElseThrow().status()).isEqualTo(stays.status());
        assertThat(lab.find("new").orElseThrow().status().podIps())
                .doesNotContainAnyElementsOf(deleted.status().podIps())
                .doesNotContainAnyElementsOf(stays.status().podIps());

        lab.delete("stays", -1);
        lab.awaitGone("stays");
        assertThat(ProcessId.find(process)).isEmpty();
    }

    @Test
    void an_agent_that_is_asked_to_end_leaves_its_pods_too() throws InterruptedException {
        Process agent = lab.startAgent();
        lab.createEcho("stays");
        Pod pod = lab.awaitReady("stays");
        long process = lab.processOf(pod);

        agent.destroy();
        agent.waitFor();

        assertThat(lab.processOf(pod)).isEqualTo(process);
        assertThat(NodeLab.get(lab.node(), pod.status().podIps().getFirst())).contains("pod: stays\n");
    }

    @Test
    void a_process_that_the_killed_agent_could_not_write_down_is_not_left_beside_its_successor()
            throws InterruptedException {
        Process agent = lab.startAgent();
        lab.createEcho("web");
        Pod pod = lab.awaitReady("web");
        agent.destroyForcibly().waitFor();
        long unknown = lab.processOf(pod);
        try (StateFolder state = StateFolder.open(lab.state())) {
            PodRecord record = state.records().getFirst();
            state.save(record.with("echo", _ -> ContainerRecord.of("echo")));
        }

        lab.startAgent();

        await().atMost(PATIENCE).until(() -> ProcessId.find(unknown).isEmpty());
        await().atMost(PATIENCE)
                .until(() -> NodeLab.answers(lab.node(), pod.status().podIps().getFirst()));
        assertThat(lab.processOf(pod)).isNotEqualTo(unknown);
    }

    @Test
    void cleanup_takes_away_pods_bridge_and_state() throws InterruptedException {
        Process agent = lab.startAgent();
        lab.createEcho("web");
        Pod pod = lab.awaitReady("web");
        long process = lab.processOf(pod);
        agent.destroyForcibly().waitFor();

        int code = lab.startProgram("cleanup", lab.state().toString(), NodeLab.POD_PREFIX)
                .waitFor();

        assertThat(code).isZero();
        assertThat(ProcessId.find(process)).isEmpty();
        assertThat(NetworkNamespace.startingWith(NodeLab.POD_PREFIX)).isEmpty();
        assertThat(lab.linksOfNode()).containsExactlyInAnyOrder("lo", "uplink");
        assertThat(lab.state()).isDirectoryNotContaining("glob:**.json");
    }

    private int restarts(String pod) {
        return Json.number(
                lab.json(pod)
                        .orElseThrow()
                        .path("status")
                        .path("containerStatuses")
                        .path(0),
                -1,
                "restartCount");
    }
}
