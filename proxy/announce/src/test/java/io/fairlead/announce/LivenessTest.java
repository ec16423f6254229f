package io.fairlead.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Who lives, and who answers then: with a clock that the test turns.
final class LivenessTest {
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Ip ADDRESS = Ip.parse("192.0.2.1");

    private final Liveness liveness = new Liveness("a", LEASE);
    private final Map<String, Instant> renewed = new TreeMap<>();
    private Duration now = Duration.ofHours(1);

    private void renew(String... nodes) {
        for (String node : nodes) {
            renewed.put(node, START.plus(now));
        }
    }

    private Set<String> look() {
        liveness.look(
                renewed.entrySet().stream()
                        .map(entry -> lease(entry.getKey(), entry.getValue()))
                        .toList(),
                START.plus(now),
                now.toNanos());
        return liveness.live(now.toNanos());
    }

    /// Time passes, and these renew each second.
    private void pass(int seconds, String... nodes) {
        for (int i = 0; i < seconds; i++) {
            now = now.plusSeconds(1);
            renew(nodes);
            look();
        }
    }

    private static Lease lease(String node, Instant time) {
        return Lease.of(Json.parse("""
            {"metadata":{"name":"announcer-%s"},"spec":{"holderIdentity":"%s","renewTime":"%s"}}\
            """.formatted(node, node, time)));
    }

    @Test
    void a_node_lives_as_long_as_it_renews() {
        renew("a", "b", "c");
        assertThat(look()).containsExactlyInAnyOrder("a", "b", "c");

        pass(4, "a", "b");
        assertThat(look()).containsExactlyInAnyOrder("a", "b", "c");
        pass(1, "a", "b");
        assertThat(look()).containsExactlyInAnyOrder("a", "b");
        pass(1, "a", "b", "c");
        assertThat(look()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void a_lease_that_lay_there_for_long_has_to_be_renewed_before_it_counts() {
        renew("b");
        now = now.plusMinutes(10);
        renew("a");
        assertThat(look()).containsExactly("a");
        pass(1, "a", "b");
        assertThat(look()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void a_node_that_hears_nothing_of_itself_declares_no_node_dead() {
        renew("a", "b");
        look();
        pass(20);
        assertThat(liveness.isCurrent()).isFalse();
    }

    @Test
    void when_the_api_server_comes_back_all_who_lived_get_a_lease_to_be_heard_again() {
        renew("a", "b", "c");
        look();
        pass(6, "a", "b");
        pass(20);
        pass(1, "a");
        assertThat(liveness.isCurrent()).isTrue();
        assertThat(look()).as("c was dead before").containsExactlyInAnyOrder("a", "b");
        pass(5, "a");
        assertThat(look()).containsExactly("a");
    }

    private static SortedMap<Ip, String> owner(String node) {
        return new TreeMap<>(Map.of(ADDRESS, node));
    }

    @Test
    void what_a_dead_node_had_is_taken_at_once_and_what_a_living_one_has_a_little_later() {
        Tenancy tenancy = new Tenancy("a", PATIENCE);
        tenancy.follow(owner("b"), Set.of("a", "b"), 0);
        assertThat(tenancy.held(0)).isEmpty();

        tenancy.follow(owner("a"), Set.of("a"), 10);
        assertThat(tenancy.held(10)).containsExactly(ADDRESS);

        tenancy.follow(owner("b"), Set.of("a", "b"), 20);
        assertThat(tenancy.held(20)).as("let go at once").isEmpty();

        tenancy.follow(owner("a"), Set.of("a", "b"), 30);
        assertThat(tenancy.held(30)).isEmpty();
        assertThat(tenancy.held(30 + Tenancy.GRACE.toNanos())).containsExactly(ADDRESS);
    }

    @Test
    void a_new_address_is_taken_at_once_but_not_by_one_who_has_just_started() {
        Tenancy tenancy = new Tenancy("a", PATIENCE);
        tenancy.follow(owner("a"), Set.of("a"), 0);
        assertThat(tenancy.held(0)).isEmpty();
        assertThat(tenancy.held(Tenancy.GRACE.toNanos())).isEmpty();
        assertThat(tenancy.held(PATIENCE.toNanos())).containsExactly(ADDRESS);

        Ip other = Ip.parse("192.0.2.2");
        tenancy.follow(new TreeMap<>(Map.of(ADDRESS, "a", other, "a")), Set.of("a"), 10);
        assertThat(tenancy.held(10)).containsExactly(other);
    }

    @Test
    void who_was_cut_off_keeps_what_he_has_and_takes_nothing_more_before_he_knows_the_others() {
        Ip other = Ip.parse("192.0.2.2");
        Tenancy tenancy = new Tenancy("a", PATIENCE);
        tenancy.follow(owner("a"), Set.of("a"), -PATIENCE.toNanos());
        tenancy.startAnew();

        tenancy.follow(new TreeMap<>(Map.of(ADDRESS, "a", other, "a")), Set.of("a"), 0);

        assertThat(tenancy.held(0)).containsExactly(ADDRESS);
        assertThat(tenancy.held(PATIENCE.toNanos())).containsExactly(ADDRESS, other);
    }

    @Test
    void what_was_given_up_comes_back_with_the_next_election_only() {
        Tenancy tenancy = new Tenancy("a", PATIENCE);
        tenancy.follow(owner("a"), Set.of("a"), 0);
        long later = PATIENCE.toNanos();
        tenancy.giveUp(ADDRESS);
        tenancy.keepOnly(Set.of(ADDRESS));
        assertThat(tenancy.held(later)).isEmpty();

        tenancy.follow(owner("a"), Set.of("a"), later);
        assertThat(tenancy.held(2 * later)).containsExactly(ADDRESS);
    }
}
