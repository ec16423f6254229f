package io.fairlead.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ClaimRange;
import io.fairlead.objects.Claims;
import io.fairlead.objects.PortRange;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class ClaimTest {
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

    @ParameterizedTest
    @CsvSource({
        "10.96.0.0/16,65534,256",
        "10.0.0.0/24,254,16",
        "10.0.0.0/20,4094,256",
        "10.0.0.0/28,14,0",
        "fd00::/112,65535,256"
    })
    void the_lower_band_of_addresses_is_a_sixteenth_but_at_least_16_and_at_most_256(String cidr, long size, long band) {
        ClaimRange range = ClaimRange.of(Cidr.parse(cidr));

        assertThat(range.size()).isEqualTo(size);
        assertThat(range.band()).isEqualTo(band);
    }

    @ParameterizedTest
    @CsvSource({"30000-32767,86", "30000-30015,0", "30000-30099,16", "30000-40000,128"})
    void the_lower_band_of_ports_is_a_thirty_second(String ports, long band) {
        assertThat(ClaimRange.of(PortRange.parse(ports)).band()).isEqualTo(band);
    }

    @Test
    void the_upper_band_is_used_up_before_the_lower_is_touched() {
        ClaimRange range = ClaimRange.of(PortRange.parse("30000-30099"));
        Set<String> taken = new HashSet<>();

        for (int i = 0; i < 84; i++) {
            int port = Integer.parseInt(range.takeAny(random, taken::add).orElseThrow());
            assertThat(port).isGreaterThanOrEqualTo(30016);
        }
        for (int i = 0; i < 16; i++) {
            assertThat(Integer.parseInt(range.takeAny(random, taken::add).orElseThrow()))
                    .isLessThan(30016);
        }
        assertThat(range.takeAny(random, taken::add)).isEmpty();
    }

    @Test
    void a_claim_without_a_service_is_given_back_once_it_is_old_and_was_seen_twice() throws Exception {
        Instant[] now = {Instant.parse("2026-11-15T12:00:00Z")};
        Stamp stamp = new Stamp(() -> now[0], random);
        try (MemoryStore store = new MemoryStore();
                TaskGroup tasks = new TaskGroup("test")) {
            WatchCache cache = new WatchCache(store, List.of(Kind.SERVICE, Claims.ADDRESSES, Claims.NODE_PORTS));
            cache.load();
            tasks.run("cache", cache::follow);
            Claims claims = new Claims(store, cache, stamp);
            var claim = claims.take(Claims.ADDRESSES, "10.96.0.7", new NamespacedName("default", "never-stored"));
            assertThat(cache.awaitRevision(claim.orElseThrow().revision(), Duration.ofSeconds(10)))
                    .isTrue();
            ClaimRepair repair = new ClaimRepair(cache, claims, stamp);

            assertThat(repair.releaseForgotten(Set.of())).isEmpty();
            now[0] = now[0].plusSeconds(61);
            var suspects = repair.releaseForgotten(Set.of());
            assertThat(suspects).containsExactly(claim.get());
            assertThat(claims.isTaken(Claims.ADDRESSES, "10.96.0.7")).isTrue();
            assertThat(repair.releaseForgotten(suspects)).isEmpty();
            assertThat(claims.isTaken(Claims.ADDRESSES, "10.96.0.7")).isFalse();
        }
    }

    @Test
    void an_item_is_taken_by_one() {
        try (MemoryStore store = new MemoryStore()) {
            WatchCache cache = new WatchCache(store, List.of(Claims.NODE_PORTS));
            Claims claims = new Claims(store, cache, new Stamp(Instant::now, random));

            assertThat(claims.take(Claims.NODE_PORTS, "30000", new NamespacedName("a", "b")))
                    .isPresent();
            assertThat(claims.take(Claims.NODE_PORTS, "30000", new NamespacedName("a", "c")))
                    .isEqualTo(Optional.empty());
        }
    }
}
