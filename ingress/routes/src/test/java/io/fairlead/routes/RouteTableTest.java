package io.fairlead.routes;

import static io.fairlead.routes.TestIngresses.CLASS;
import static io.fairlead.routes.TestIngresses.ingress;
import static io.fairlead.routes.TestIngresses.service;
import static io.fairlead.routes.TestIngresses.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RouteTableTest {
    private static RouteTable table(Snapshot snapshot) {
        return RouteTable.of(snapshot, IngressOwnership.DEFAULT);
    }

    @Test
    void a_table_reached_by_a_thousand_steps_equals_the_one_from_scratch() {
        Random random = new Random(20261117);
        Snapshot snapshot = Snapshot.EMPTY.with(CLASS);
        RouteTable table = table(snapshot);
        for (int step = 0; step < 1000; step++) {
            snapshot = TestIngresses.step(snapshot, random);
            table = table.at(snapshot);
            RouteTable fresh = table(snapshot);
            assertThat(table.hosts()).as("hosts after step %d", step).isEqualTo(fresh.hosts());
            assertThat(table.upstreams()).as("upstreams after step %d", step).isEqualTo(fresh.upstreams());
            assertThat(table.certificates())
                    .as("certificates after step %d", step)
                    .isEqualTo(fresh.certificates());
            assertThat(table.faults()).as("faults after step %d", step).isEqualTo(fresh.faults());
        }
        assertThat(table.hosts().size()).as("the walk ends somewhere").isGreaterThan(1);
    }

    @Test
    void the_records_of_a_thousand_steps_lead_to_all_records() {
        Random random = new Random(7);
        Snapshot snapshot = Snapshot.EMPTY.with(CLASS);
        RouteTable table = table(Snapshot.EMPTY);
        java.util.SortedMap<String, String> known = new java.util.TreeMap<>();
        for (int step = 0; step < 1000; step++) {
            snapshot = TestIngresses.step(snapshot, random);
            RouteTable newer = table.at(snapshot);
            Feed.between(table, newer).forEach((key, value) -> {
                if (value.isEmpty()) {
                    known.remove(key);
                } else {
                    known.put(key, value);
                }
            });
            table = newer;
            java.util.SortedMap<String, String> all = Feed.all(table(snapshot));
            all.values().removeIf(String::isEmpty);
            assertThat(known).as("records after step %d", step).isEqualTo(all);
        }
    }

    @Test
    void a_changed_endpoint_changes_one_record_alone() {
        Snapshot before = Snapshot.EMPTY
                .with(CLASS)
                .with(service("hello"))
                .with(slice("hello", "10.244.1.1"))
                .with(ingress("door", "", "hello.example.com", "/", "hello"));
        RouteTable table = table(before);
        RouteTable after = table.at(before.with(slice("hello", "10.244.1.2")));
        assertThat(Feed.between(table, after))
                .containsExactly(
                        java.util.Map.entry("service:default/hello:80", "{\"targets\":[[\"10.244.1.2\",8080]]}"));
    }

    @Test
    void an_ingress_with_the_options_of_another_needs_no_new_profile() {
        String size = "fairlead.io/proxy-body-size: 8m";
        Snapshot one = Snapshot.EMPTY.with(CLASS).with(ingress("one", size, "one.example.com", "/", "hello"));
        Snapshot two = one.with(ingress("two", size, "two.example.com", "/", "hello"));
        assertThat(table(one).profiles()).hasSize(1).isEqualTo(table(two).profiles());
    }

    @Test
    void the_older_ingress_keeps_a_path_and_the_younger_is_named() {
        Snapshot snapshot = Snapshot.EMPTY
                .with(CLASS)
                .with(ingress("b-old", "", "x.example.com", "/", "hello"))
                .with(ingress("c-young", "", "x.example.com", "/", "other"));
        assertThat(table(snapshot).conflicts())
                .singleElement()
                .satisfies(
                        conflict -> assertThat(conflict.loser()).isEqualTo(new NamespacedName("default", "c-young")));
    }

    @Test
    void an_ingress_whose_profile_nginx_refused_is_left_out_alone() {
        Snapshot snapshot = Snapshot.EMPTY
                .with(CLASS)
                .with(ingress("good", "", "good.example.com", "/", "hello"))
                .with(ingress("bad", "fairlead.io/proxy-body-size: 8m", "bad.example.com", "/", "hello"));
        RouteTable table = table(snapshot);
        Profile refused = table.hosts()
                .find("bad.example.com")
                .orElseThrow()
                .routes()
                .getFirst()
                .profile();
        RouteTable after = table.at(
                snapshot,
                IngressOwnership.DEFAULT.refusing(new IngressOwnership.Refused(Set.of(refused), Set.of(), Set.of())));
        assertThat(after.hosts().keys()).containsExactly("good.example.com");
        assertThat(after.faults()).containsOnlyKeys(new NamespacedName("default", "bad"));
    }
}
