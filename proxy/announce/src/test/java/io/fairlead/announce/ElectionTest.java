package io.fairlead.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ElectionTest {
    private static final Cidr NETWORK = Cidr.parse("192.0.2.0/24");

    private static Wanted wanted(int number) {
        return new Wanted(NETWORK.at(number), new NamespacedName("default", "s" + number), "u", true, Set.of());
    }

    private static Candidate candidate(String node) {
        return new Candidate(node, List.of(NETWORK), true);
    }

    private static List<Wanted> addresses(int count) {
        return IntStream.range(0, count).mapToObj(ElectionTest::wanted).toList();
    }

    @Test
    void the_scores_are_the_same_for_ever() {
        assertThat(Election.score("node-1", Ip.parse("192.0.2.1"))).isEqualTo(-6548284250366913153L);
        assertThat(Election.score("node-2", Ip.parse("2001:db8::1"))).isEqualTo(1047807512818734874L);
    }

    @Test
    void every_address_has_one_owner_and_the_nodes_share_them() {
        List<Candidate> nodes = List.of(candidate("a"), candidate("b"), candidate("c"));
        SortedMap<Ip, String> owners = Election.owners(addresses(240), nodes);

        Map<String, Integer> shares = new HashMap<>();
        owners.values().forEach(node -> shares.merge(node, 1, Integer::sum));
        assertThat(owners).hasSize(240);
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(50, 110));
    }

    @Test
    void when_a_node_goes_only_its_addresses_move_and_they_come_back_with_it() {
        List<Candidate> all = List.of(candidate("a"), candidate("b"), candidate("c"));
        List<Candidate> left = List.of(candidate("c"), candidate("a"));
        SortedMap<Ip, String> before = Election.owners(addresses(100), all);
        SortedMap<Ip, String> after = Election.owners(addresses(100), left);

        before.forEach((ip, owner) -> {
            if (owner.equals("b")) {
                assertThat(after.get(ip)).isIn("a", "c");
            } else {
                assertThat(after).containsEntry(ip, owner);
            }
        });
        assertThat(Election.owners(addresses(100), all)).isEqualTo(before);
    }

    @Test
    void a_node_without_a_link_to_the_network_is_not_elected() {
        Candidate elsewhere = new Candidate("a", List.of(Cidr.parse("198.51.100.0/24")), true);
        assertThat(Election.owners(addresses(50), List.of(elsewhere, candidate("b")))
                        .values())
                .containsOnly("b");
        assertThat(Election.owners(addresses(50), List.of(elsewhere))).isEmpty();
    }

    @Test
    void a_node_that_is_not_ready_is_elected_only_where_no_other_is_left() {
        Candidate unready = new Candidate("a", List.of(NETWORK), false);
        assertThat(Election.owners(addresses(50), List.of(unready, candidate("b")))
                        .values())
                .containsOnly("b");
        assertThat(Election.owners(addresses(50), List.of(unready)).values()).containsOnly("a");
    }

    @Test
    void with_policy_local_only_nodes_with_a_ready_endpoint_are_elected() {
        Service service = service("Local");
        List<Candidate> nodes = List.of(candidate("a"), candidate("b"), candidate("c"));

        assertThat(owners(service, slice("b:true:false"), nodes)).containsOnly("b");
        assertThat(owners(service, slice("a:false:true", "c:true:false"), nodes))
                .containsOnly("c");
        assertThat(owners(service, slice("a:false:true"), nodes)).containsOnly("a");
        assertThat(owners(service, slice(), nodes)).isEmpty();
        assertThat(owners(service("Cluster"), slice(), nodes)).hasSize(1);
    }

    private static Collection<String> owners(Service service, EndpointSlice slice, List<Candidate> nodes) {
        return Election.owners(Wanted.of(service, List.of(slice)), nodes).values();
    }

    @Test
    void addresses_of_other_load_balancers_are_not_announced() {
        assertThat(Wanted.of(service("Cluster"), List.of())).hasSize(1);
        assertThat(Wanted.of(service("Cluster\",\"loadBalancerClass\":\"fairlead.io/load-balancer"), List.of()))
                .hasSize(1);
        assertThat(Wanted.of(service("Cluster\",\"loadBalancerClass\":\"example.com/cloud"), List.of()))
                .isEmpty();
        assertThat(Wanted.of(service("Cluster", ""), List.of()))
                .as("of no class, but not from our pools")
                .isEmpty();
    }

    @Test
    void an_address_that_a_node_has_is_never_announced() {
        WantedAddresses addresses = new WantedAddresses();
        Snapshot given = Snapshot.EMPTY.with(service("Cluster"));
        addresses.follow(given);
        assertThat(addresses.byAddress()).hasSize(1);

        Node owner = Node.of(Json.parse("""
            {"metadata":{"name":"a"},"status":{"addresses":[{"type":"InternalIP","address":"192.0.2.9"}]}}\
            """));
        addresses.follow(given.with(owner));
        assertThat(addresses.byAddress()).isEmpty();

        addresses.follow(given);
        assertThat(addresses.byAddress()).hasSize(1);
    }

    @Test
    void a_node_that_is_gone_or_going_or_excluded_is_no_candidate() {
        Snapshot snapshot = Snapshot.EMPTY
                .with(node("a", "\"labels\":{}"))
                .with(node("b", "\"labels\":{\"node.kubernetes.io/exclude-from-external-load-balancers\":\"\"}"))
                .with(node("c", "\"deletionTimestamp\":\"t\""));
        List<Lease> leases = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "gone")) {
            leases.add(lease(name));
        }
        assertThat(Candidate.among(leases, Set.of("a", "b", "c", "gone"), snapshot))
                .containsExactly(new Candidate("a", List.of(NETWORK, Cidr.parse("2001:db8::/64")), true));
        assertThat(Candidate.among(leases, Set.of("b"), snapshot)).isEmpty();
    }

    private static Node node(String name, String metadata) {
        return Node.of(Json.parse("""
            {"metadata":{"name":"%s",%s},"status":{"conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name, metadata)));
    }

    private static Lease lease(String node) {
        return Lease.of(Json.parse("""
            {"metadata":{"name":"announcer-%s","annotations":{"fairlead.io/networks":"192.0.2.0/24,2001:db8::/64"}},
             "spec":{"holderIdentity":"%s"}}\
            """.formatted(node, node)));
    }

    private static Service service(String policy) {
        return service(policy, "\"fairlead.io/refuse-other-ports\":\"true\"");
    }

    private static Service service(String policy, String annotations) {
        return Service.of(Json.parse("""
            {"metadata":{"name":"web","namespace":"default","annotations":{%s}},
             "spec":{"type":"LoadBalancer","externalTrafficPolicy":"%s"},
             "status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.9","ipMode":"VIP"}]}}}\
            """.formatted(annotations, policy)));
    }

    /// Endpoints as `node:ready:terminating`, all of them serving.
    private static EndpointSlice slice(String... endpoints) {
        List<String> items = new ArrayList<>();
        for (String endpoint : endpoints) {
            String[] part = endpoint.split(":", -1);
            items.add("""
                {"addresses":["10.1.0.1"],"nodeName":"%s",
                 "conditions":{"ready":%s,"serving":true,"terminating":%s}}\
                """.formatted(part[0], part[1], part[2]));
        }
        return EndpointSlice.of(Json.parse("""
            {"metadata":{"name":"web-1","namespace":"default"},"addressType":"IPv4","endpoints":[%s]}\
            """.formatted(String.join(",", items))));
    }
}
