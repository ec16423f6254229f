package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.dist.Traffic.Answer;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Services of type LoadBalancer without a cloud, in a cluster of three nodes on one switch.
///
/// The neighbour of the nodes is the router of the lab: its kernel asks for the addresses, and shows in its table who
/// answered. The client connects through it.
@RequiresRoot
final class LoadBalancerIT {
    private static final String CLUSTER = "fllb";
    private static final NamespacedName SERVICE = new NamespacedName("default", "balanced");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static RunningCluster cluster;
    private static ApiClient client;
    private static List<Ip> addresses;

    @BeforeAll
    static void up() throws Exception {
        cluster = RunningCluster.up(CLUSTER);
        client = new ApiClient(cluster.access());
        create(SERVICE);
        addresses = await().atMost(LIMIT).until(() -> addresses(SERVICE), found -> found.size() == 2);
    }

    @AfterAll
    static void down() throws Exception {
        if (client != null) {
            client.close();
        }
        if (cluster != null) {
            cluster.end();
        }
    }

    @Test
    void a_service_is_reached_at_an_address_of_each_family_and_its_users_are_told_how() throws Exception {
        assertThat(addresses).extracting(Ip::toString).containsExactly("10.210.0.200", "fd00:210::200");
        for (Ip address : addresses) {
            awaitAnswer(address);
            assertThat(cluster.nodes()).contains(ownerByNeighbour(address));
            assertThat(Traffic.send(cluster.outside(), new IpPort(address, 81), 1)
                            .getFirst())
                    .as("a port that the Service does not have")
                    .isInstanceOfSatisfying(
                            Answer.Failed.class,
                            failed -> assertThat(failed.why()).contains("refused"));
        }
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(events(SERVICE))
                        .anyMatch(message -> message.contains("10.210.0.200 from pool default"))
                        .anyMatch(message -> message.contains("answers for fd00:210::200 on eth0")));
    }

    @Test
    void when_the_link_of_the_owner_goes_down_another_node_answers_and_gives_it_back() throws Exception {
        Ip address = addresses.getFirst();
        awaitAnswer(address);
        String owner = ownerByNeighbour(address);
        outside(route -> route.setDown(owner));
        try {
            awaitOther(address, owner);
            awaitOther(addresses.getLast(), owner);
        } finally {
            outside(route -> route.setUp(owner));
        }
        awaitOwner(address, owner);
    }

    @Test
    void a_node_that_hangs_loses_its_addresses_and_gets_them_back_when_it_goes_on() throws Exception {
        Ip address = addresses.getLast();
        awaitAnswer(address);
        String owner = ownerByNeighbour(address);
        long pid = cluster.pid(owner);
        signal("STOP", pid);
        try {
            awaitOther(address, owner);
        } finally {
            signal("CONT", pid);
        }
        awaitOwner(address, owner);
    }

    @Test
    void the_address_of_a_deleted_service_is_not_answered_and_is_given_to_the_next() throws Exception {
        NamespacedName first = new NamespacedName("default", "first");
        create(first);
        Ip address = await().atMost(LIMIT)
                .until(() -> addresses(first), found -> found.size() == 2)
                .getFirst();
        awaitAnswer(address);

        client.delete(Kind.SERVICE, first, Deletion.DEFAULT);
        await().atMost(LIMIT).until(() -> client.find(Kind.SERVICE, first).isEmpty());
        await().atMost(LIMIT).untilAsserted(() -> {
            printed("ip", "neigh", "flush", "to", address.toString());
            assertThat(Traffic.send(cluster.outside(), new IpPort(address, 80), 1))
                    .allSatisfy(answer -> assertThat(answer).isInstanceOf(Answer.Failed.class));
            assertThat(printed("ip", "neigh", "show", "to", address.toString())).doesNotContain("lladdr");
        });

        NamespacedName second = new NamespacedName("default", "second");
        create(second);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(addresses(second)).contains(address));
        awaitAnswer(address);
        client.delete(Kind.SERVICE, second, Deletion.DEFAULT);
    }

    private static void create(NamespacedName name) throws InterruptedException {
        client.create(Kind.SERVICE, (ObjectNode) Json.parse("""
            {"apiVersion": "v1", "kind": "Service",
             "metadata": {"namespace": "%s", "name": "%s"},
             "spec": {"type": "LoadBalancer", "ipFamilyPolicy": "RequireDualStack", "selector": {"app": "hello"},
                      "ports": [{"name": "http", "port": 80, "targetPort": "http"}]}}\
            """.formatted(name.namespace(), name.name())));
    }

    private static List<Ip> addresses(NamespacedName service) throws InterruptedException {
        return Json.list(
                client.get(Kind.SERVICE, service),
                ingress -> Ip.parse(Json.text(ingress, "ip")),
                "status",
                "loadBalancer",
                "ingress");
    }

    private static List<String> events(NamespacedName service) throws InterruptedException {
        return client.list(new Interest(Kind.EVENT, "", "involvedObject.name=" + service.name()), service.namespace())
                .path("items")
                .valueStream()
                .map(event -> Json.text(event, "message"))
                .toList();
    }

    /// Connects until a pod answers: to those behind a link that is down nothing leads.
    private static void awaitAnswer(Ip address) {
        await().atMost(LIMIT)
                .until(() -> Traffic.send(cluster.outside(), new IpPort(address, 80), 1)
                                .getFirst()
                        instanceof Answer.From);
    }

    private static void awaitOther(Ip address, String owner) throws Exception {
        awaitAnswer(address);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(ownerByNeighbour(address)).isNotEqualTo(owner));
        awaitAnswer(address);
    }

    private static void awaitOwner(Ip address, String owner) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(ownerByNeighbour(address)).isEqualTo(owner));
        awaitAnswer(address);
    }

    /// The node whose hardware address the neighbour has for an address; empty where it has none.
    private static String ownerByNeighbour(Ip address) throws Exception {
        String entry = printed("ip", "neigh", "show", "to", address.toString());
        for (String node : cluster.nodes()) {
            String own = cluster.printed(node, "ip", "-o", "link", "show", "eth0");
            if (entry.contains("lladdr") && own.contains(lladdr(entry))) {
                return node;
            }
        }
        return "";
    }

    private static String lladdr(String entry) {
        return entry.replaceAll("(?s).*lladdr (\\S+).*", "$1");
    }

    private static NetworkNamespace neighbour() {
        return NetworkNamespace.find(CLUSTER).orElseThrow();
    }

    private static void outside(Consumer<RouteSocket> change) {
        neighbour().run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                change.accept(route);
            }
        });
    }

    private static String printed(String... command) throws Exception {
        Path output = Files.createTempFile(cluster.dir(), "neighbour", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        neighbour().start(builder).waitFor();
        return Files.readString(output);
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }
}
