package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The routes of the network, shown by connections between its namespaces.
@RequiresRoot
final class LabNetworkIT {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int PORT = 7000;
    private static final Topology TOPOLOGY =
            Topology.of("flnet" + ProcessHandle.current().pid(), 3);

    private static LabNetwork network;
    private static final Answerers ANSWERERS = new Answerers();

    @BeforeAll
    static void build() {
        network = LabNetwork.build(TOPOLOGY);
        ANSWERERS.add(network.outer(), Protocol.TCP, PORT, "outer");
        ANSWERERS.add(network.client(), Protocol.TCP, PORT, "client");
        TOPOLOGY.nodes().forEach(node -> ANSWERERS.add(network.node(node), Protocol.TCP, PORT, node.name()));
    }

    @AfterAll
    static void remove() throws IOException {
        ANSWERERS.close();
        network.close();
    }

    @Test
    void the_outside_client_and_the_nodes_reach_each_other_with_their_own_addresses() {
        for (AddressPlan plan : TOPOLOGY.plans()) {
            for (Topology.NodePlace node : TOPOLOGY.nodes()) {
                Ip nodeIp = plan.node(node.number());
                assertThat(ask(network.client(), nodeIp)).isEqualTo(answered(node.name(), plan.client()));
                assertThat(ask(network.node(node), plan.client())).isEqualTo(answered("client", nodeIp));
                assertThat(ask(network.node(node), plan.router())).isEqualTo(answered("outer", nodeIp));
            }
        }
    }

    @Test
    void nodes_reach_each_other_directly() {
        List<Topology.NodePlace> nodes = TOPOLOGY.nodes();
        for (AddressPlan plan : TOPOLOGY.plans()) {
            assertThat(ask(network.node(nodes.get(0)), plan.node(3))).isEqualTo(answered("node-3", plan.node(1)));
        }
    }

    @Test
    void pods_of_different_nodes_reach_each_other_and_the_outside() {
        List<Topology.NodePlace> nodes = TOPOLOGY.nodes();
        Ip here = nodes.get(0).podCidrs().get(0).at(2);
        Ip there = nodes.get(1).podCidrs().get(0).at(2);
        LabPods pods = new LabPods(TOPOLOGY);
        NetworkNamespace one = pods.add(nodes.get(0), "one", List.of(here));
        NetworkNamespace two = pods.add(nodes.get(1), "two", List.of(there));
        ANSWERERS.add(two, Protocol.TCP, PORT, "two");
        assertThat(ask(one, there)).isEqualTo(answered("two", here));
        assertThat(ask(network.client(), there)).isEqualTo(answered("two", AddressPlan.IPV4.client()));
        assertThat(ask(one, AddressPlan.IPV4.client())).isEqualTo(answered("client", here));
    }

    @Test
    void connections_to_a_service_address_are_spread_over_all_nodes() {
        for (AddressPlan plan : TOPOLOGY.plans()) {
            Ip vip = plan.services().at(10);
            TOPOLOGY.nodes().forEach(node -> addToLoopback(network.node(node), vip));
            Set<String> reached = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                if (ask(network.client(), vip) instanceof Question.Reply.Answered answered) {
                    reached.add(answered.name());
                }
            }
            assertThat(reached).containsExactlyInAnyOrder("node-1", "node-2", "node-3");
        }
    }

    @Test
    void there_is_no_way_out_of_the_cluster() {
        assertThat(ask(network.client(), Ip.parse("192.0.2.1"))).isInstanceOf(Question.Reply.NoWay.class);
        assertThat(ask(network.client(), Ip.parse("2001:db8:1::1"))).isInstanceOf(Question.Reply.NoWay.class);
    }

    @Test
    void a_service_address_that_no_node_knows_does_not_go_round() {
        for (AddressPlan plan : TOPOLOGY.plans()) {
            assertThat(ask(network.client(), plan.services().at(77))).isInstanceOf(Question.Reply.NoWay.class);
        }
    }

    private static void addToLoopback(NetworkNamespace namespace, Ip ip) {
        namespace.run(() -> {
            try (var route = io.fairlead.kernel.RouteSocket.open()) {
                route.addAddress("lo", ip, ip.family().bits());
            }
        });
    }

    private static Question.Reply ask(NetworkNamespace from, Ip to) {
        return Question.tcp(from, to, PORT).ask(PATIENCE);
    }

    private static Question.Reply answered(String name, Ip source) {
        return new Question.Reply.Answered(name, source);
    }
}
