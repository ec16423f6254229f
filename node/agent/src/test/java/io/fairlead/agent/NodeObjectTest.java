package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Node;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class NodeObjectTest {
    private final NodeConfig config = NodeConfig.of(
                    "one",
                    List.of(Ip.parse("192.0.2.1"), Ip.parse("fd00::1")),
                    List.of(Cidr.parse("10.1.1.0/24"), Cidr.parse("fd00:1::/64")),
                    Path.of("unused"))
            .withLabels(Map.of("zone", "a"));
    private final NodeObject object = new NodeObject(
            config, Map.of("operatingSystem", "linux", "architecture", "amd64"), MachineFacts.capacity(Path.of("/")));

    @Test
    void the_object_and_its_status_say_all_that_is_wanted() {
        Node node = Node.of(whole());

        assertThat(object.isSaidBy(node)).isTrue();
        assertThat(node.metadata().labels())
                .containsEntry("zone", "a")
                .containsEntry("kubernetes.io/hostname", "one")
                .containsEntry("kubernetes.io/arch", "amd64");
    }

    @Test
    void a_node_that_lost_its_status_or_a_label_is_written_again() {
        ObjectNode unlabelled = whole();
        ((ObjectNode) unlabelled.path("metadata").path("labels")).remove("zone");

        assertThat(object.isSaidBy(Node.of(object.object()))).isFalse();
        assertThat(object.isSaidBy(Node.of(unlabelled))).isFalse();
    }

    @Test
    void a_node_without_a_block_of_its_own_takes_what_the_control_plane_gives() {
        NodeObject waiting = new NodeObject(config.withPodCidrs(List.of()), object.facts(), object.capacity());

        assertThat(waiting.object().path("spec").isMissingNode()).isTrue();
        assertThat(waiting.isSaidBy(Node.of(whole()))).isTrue();
    }

    @Test
    void the_status_says_what_the_machine_has() {
        assertThat(whole().path("status").path("allocatable").propertyNames()).contains("cpu", "memory", "pods");
    }

    @Test
    void the_status_says_where_the_agent_answers_also_of_a_node_that_did_not_say_so_before() {
        ObjectNode silent = whole();
        ((ObjectNode) silent.path("status")).remove("daemonEndpoints");

        assertThat(Node.of(whole()).agentPort()).isEqualTo(10250);
        assertThat(object.isSaidBy(Node.of(silent))).isFalse();
    }

    private ObjectNode whole() {
        ObjectNode whole = object.object();
        whole.set("status", object.status(TestPods.NOW).path("status"));
        return whole;
    }
}
