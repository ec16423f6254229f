package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class KindCacheTest {
    private final AtomicLong everything = new AtomicLong();
    private final KindCache cache = new KindCache(Kind.POD, () -> new Revision(everything.get()));

    private static ApiObject pod(String namespace, String name, long revision) {
        return ApiObject.of(
                Kind.POD,
                Json.parse("{\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\"}}".formatted(namespace, name)),
                new Revision(revision));
    }

    private List<Long> after(long revision) throws InterruptedException {
        return cache.await(new Revision(revision), Duration.ZERO).orElseThrow().events().stream()
                .map(event -> event.revision().value())
                .toList();
    }

    @Test
    void a_list_of_a_namespace_holds_that_namespace_alone() {
        cache.put(pod("a", "x", 1));
        cache.put(pod("ab", "x", 2));
        cache.put(pod("b", "x", 3));

        assertThat(cache.list("a").items()).extracting(ApiObject::key).containsExactly(new NamespacedName("a", "x"));
        assertThat(cache.list("").items()).hasSize(3);
    }

    @Test
    void a_list_is_as_new_as_the_newest_change_of_any_kind() {
        cache.put(pod("a", "x", 5));
        assertThat(cache.list("").revision()).isEqualTo(new Revision(5));

        everything.set(9);
        assertThat(cache.list("").revision()).isEqualTo(new Revision(9));
    }

    @Test
    void events_come_in_order_after_the_revision_asked_for() throws Exception {
        cache.put(pod("a", "x", 3));
        cache.put(pod("a", "y", 5));
        cache.delete(new NamespacedName("a", "x"), new Revision(8));

        assertThat(after(0)).containsExactly(3L, 5L, 8L);
        assertThat(after(4)).containsExactly(5L, 8L);
        assertThat(after(8)).isEmpty();
        assertThat(after(100)).isEmpty();
        assertThat(cache.find(new NamespacedName("a", "x"))).isEmpty();
    }

    @Test
    void what_fell_out_of_the_recent_changes_is_gone() throws Exception {
        for (int i = 1; i <= KindCache.RECENT + 2; i++) {
            cache.put(pod("a", "x", i));
        }

        assertThatThrownBy(() -> after(1)).isInstanceOf(StatusException.class).hasMessageContaining("too old");
        assertThat(after(2)).hasSize(KindCache.RECENT).startsWith(3L);
    }

    @Test
    void after_a_reset_every_watcher_has_to_list_again() {
        cache.put(pod("a", "x", 3));
        cache.reset(
                new KindCache.Listing(List.of(pod("a", "y", 7)), new Revision(9)),
                new KindCache.Past(List.of(), new Revision(9)));

        assertThatThrownBy(() -> after(3)).isInstanceOf(StatusException.class);
        assertThat(cache.list("").items()).hasSize(1);
    }

    @Test
    void a_closing_server_ends_every_wait() throws Exception {
        cache.end();

        assertThat(cache.await(Revision.ZERO, Duration.ofDays(1))).isEmpty();
    }

    @Test
    void a_change_is_seen_as_the_selection_sees_it() {
        ApiObject before = pod("a", "x", 1);
        ApiObject now = pod("b", "x", 2);
        CacheEvent event = CacheEvent.put(before, now);

        assertThat(event.seenBy(object -> true).map(CacheEvent.Seen::type)).hasValue(CacheEvent.Type.MODIFIED);
        assertThat(event.seenBy(object -> object == now).map(CacheEvent.Seen::type))
                .hasValue(CacheEvent.Type.ADDED);
        assertThat(event.seenBy(object -> false)).isEmpty();
        Optional<CacheEvent.Seen> left = event.seenBy(object -> object == before);
        assertThat(left.map(CacheEvent.Seen::type)).hasValue(CacheEvent.Type.DELETED);
        assertThat(left.map(seen -> seen.object().revision())).hasValue(new Revision(2));
        // Made once, for all who see it so.
        assertThat(event.seenBy(object -> object == before).orElseThrow().object())
                .isSameAs(left.orElseThrow().object());
    }
}
