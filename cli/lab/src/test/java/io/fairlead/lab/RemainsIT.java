package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a cluster leaves, and how it goes. A namespace plays the machine, so that the real one is not touched.
@RequiresRoot
final class RemainsIT {
    private static final String CLUSTER = "flrem" + ProcessHandle.current().pid();
    private static final Topology TOPOLOGY = Topology.of(CLUSTER, 2);

    private NetworkNamespace machine;

    @BeforeEach
    void makeMachine() {
        machine = NetworkNamespace.create("flmachine" + ProcessHandle.current().pid());
    }

    @AfterEach
    void remove() {
        machine.run(() -> Remains.of(CLUSTER).remove(Duration.ofSeconds(2)));
        machine.delete();
    }

    @Test
    void the_machine_reaches_the_cluster_through_one_link_and_loses_it_in_the_end() throws IOException {
        try (Answerers answerers = new Answerers()) {
            machine.run(() -> LabNetwork.build(TOPOLOGY).joinHost());
            NetworkNamespace node = NetworkNamespace.find(CLUSTER + "-node-2").orElseThrow();
            answerers.add(node, Protocol.TCP, 7000, "node-2");
            for (AddressPlan plan : TOPOLOGY.plans()) {
                assertThat(Question.tcp(machine, plan.node(2), 7000).ask(Duration.ofSeconds(2)))
                        .isEqualTo(new Question.Reply.Answered("node-2", plan.hostEnd()));
            }
            assertThat(machine.call(HostView::read).routes())
                    .extracting(HostView.Taken::block)
                    .containsAll(TOPOLOGY.reachedFromHost());
        }
        List<String> removed = machine.call(() -> Remains.of(CLUSTER).remove(Duration.ofSeconds(2)));
        assertThat(removed)
                .contains("network namespace " + CLUSTER, "link %s and its routes".formatted(TOPOLOGY.hostLink()));
        assertThat(links()).containsExactly("lo");
        assertThat(machine.call(HostView::read).routes())
                .extracting(HostView.Taken::block)
                .doesNotContainAnyElementsOf(TOPOLOGY.reachedFromHost());
    }

    @Test
    void processes_inside_are_ended_even_those_that_do_not_want_to() throws Exception {
        machine.run(() -> LabNetwork.build(TOPOLOGY));
        NetworkNamespace node = NetworkNamespace.find(CLUSTER + "-node-1").orElseThrow();
        Process willing = node.start(new ProcessBuilder("sleep", "600"));
        Process stubborn =
                node.start(new ProcessBuilder("sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"));
        assertThat(stubborn.inputReader().readLine()).isEqualTo("deaf");
        Process foreign = machine.start(new ProcessBuilder("sleep", "600"));
        try {
            List<String> removed = machine.call(() -> Remains.of(CLUSTER).remove(Duration.ofSeconds(2)));
            assertThat(removed).contains("process " + willing.pid(), "process " + stubborn.pid());
            assertThat(willing.waitFor()).isEqualTo(128 + 15);
            assertThat(stubborn.waitFor()).isEqualTo(128 + 9);
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_cluster_whose_name_begins_alike_is_left_alone() {
        NetworkNamespace other = NetworkNamespace.create(CLUSTER + "x-node-1");
        try {
            machine.run(() -> LabNetwork.build(TOPOLOGY));
            machine.run(() -> Remains.of(CLUSTER).remove(Duration.ofSeconds(2)));
            assertThat(NetworkNamespace.startingWith(CLUSTER))
                    .extracting(NetworkNamespace::name)
                    .containsExactly(other.name());
        } finally {
            other.delete();
        }
    }

    @Test
    void a_network_that_cannot_be_finished_leaves_nothing() {
        NetworkNamespace.create(TOPOLOGY.client());
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> machine.run(() -> LabNetwork.build(TOPOLOGY)))
                .withMessageContaining(TOPOLOGY.client());
        assertThat(NetworkNamespace.startingWith(CLUSTER)).isEmpty();
    }

    private List<String> links() {
        return machine.call(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                return route.links();
            }
        });
    }
}
