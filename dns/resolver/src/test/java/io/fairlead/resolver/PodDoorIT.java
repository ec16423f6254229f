package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pod's questions to the only server of names of a cluster, before, while and after it is away.
@RequiresRoot
final class PodDoorIT {
    private static final String POD = "fldoor-" + ProcessHandle.current().pid();
    private static final PodDoorPlan ALONE = new PodDoorPlan(List.of(Ip.parse("10.96.0.10")), List.of(), true);

    private static final Snapshot CLUSTER =
            Snapshot.EMPTY.with(Service.of(Yaml.parseAll("""
                {metadata: {namespace: default, name: hello}, spec: {clusterIP: 10.96.7.7, ports: [{port: 80}]}}
                """).getFirst()));

    @BeforeEach
    void plugPod() {
        Shell.run("ip", "netns", "add", POD);
        Shell.run("ip", "link", "add", "fldoor0", "type", "veth", "peer", "name", "eth0", "netns", POD);
        Shell.run("ip", "address", "add", "10.244.8.1/24", "dev", "fldoor0");
        Shell.run("ip", "link", "set", "fldoor0", "up");
        Shell.run("ip", "-n", POD, "address", "add", "10.244.8.2/24", "dev", "eth0");
        Shell.run("ip", "-n", POD, "link", "set", "eth0", "up");
        Shell.run("ip", "-n", POD, "route", "add", "default", "via", "10.244.8.1");
    }

    @AfterEach
    void unplugPod() {
        Shell.run("ip", "link", "delete", "fldoor0");
        Shell.run("ip", "netns", "delete", POD);
        PodDoor.remove();
    }

    @Test
    void a_question_to_the_only_server_while_it_is_away_is_answered_when_it_is_back() throws Exception {
        try (PodDoor door = PodDoor.make(List.of(Family.IPV4))) {
            try (RunningServer server = serving(door)) {
                server.openTo(door, ALONE);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> dig("+tries=1").contains("10.96.7.7"));
            }
        }
        assertThat(dig("+tries=1")).as("no refusal, which ends a search").contains("timed out");
        CompletableFuture<String> question = CompletableFuture.supplyAsync(() -> dig("+tries=15"));
        try (PodDoor next = PodDoor.make(List.of(Family.IPV4));
                RunningServer server = serving(next)) {
            server.openTo(next, ALONE);
            assertThat(question.get()).contains("10.96.7.7");
        }
        assertThat(PodDoor.remove()).isTrue();
    }

    private static RunningServer serving(PodDoor door) throws InterruptedException {
        RunningServer server = new RunningServer(config -> config.with(door.places()));
        server.show(CLUSTER);
        return server;
    }

    private static String dig(String tries) {
        // Without an answer dig ends badly.
        String command = "dig %s +time=2 @10.96.0.10 hello.default.svc.cluster.local || true".formatted(tries);
        return Shell.run("ip", "netns", "exec", POD, "sh", "-c", command);
    }
}
