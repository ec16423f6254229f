package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
    /// A key whose hash code is chosen, so that keys collide wholly or in their first bits.
    private record Key(int id, int hash) {
        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.id == id;
        }
    }

    private record Step(PersistentMap<Key, Integer> map, Map<Key, Integer> model) {}

    private static List<Integer> changed(PersistentMap<Key, Integer> older, PersistentMap<Key, Integer> newer) {
        List<Integer> ids = new ArrayList<>();
        newer.changedSince(older, key -> ids.add(key.id));
        return ids;
    }

    private static Set<Integer> expectedChange(Map<Key, Integer> older, Map<Key, Integer> newer) {
        Set<Key> keys = new HashSet<>(older.keySet());
        keys.addAll(newer.keySet());
        Set<Integer> ids = new HashSet<>();
        for (Key key : keys) {
            if (!Objects.equals(older.get(key), newer.get(key))) {
                ids.add(key.id);
            }
        }
        return ids;
    }

    private static void assertSame(PersistentMap<Key, Integer> map, Map<Key, Integer> model) {
        Map<Key, Integer> held = new HashMap<>();
        map.forEach((key, value) -> assertThat(held.put(key, value)).isNull());
        assertThat(held).isEqualTo(model);
        assertThat(map.size()).isEqualTo(model.size());
        assertThat(map.isEmpty()).isEqualTo(model.isEmpty());
    }

    /// `hashes` is the number of different hash codes among 300 keys: 1 is one long chain, 300 has no collision.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 40, 300})
    void it_behaves_like_a_hash_map_and_names_exactly_the_keys_that_differ(int hashes) {
        Random random = new Random(hashes);
        int[] codes = random.ints(hashes).toArray();
        List<Key> keys = new ArrayList<>();
        for (int id = 0; id < 300; id++) {
            keys.add(new Key(id, codes[id % hashes]));
        }
        List<Step> history = new ArrayList<>();
        Step now = new Step(PersistentMap.empty(), Map.of());
        for (int i = 0; i < 4000; i++) {
            now = next(now, keys.get(random.nextInt(keys.size())), random);
            if (i % 25 == 0) {
                history.add(now);
                Step earlier = history.get(random.nextInt(history.size()));
                Set<Integer> expected = expectedChange(earlier.model, now.model);
                assertThat(changed(earlier.map, now.map)).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(changed(now.map, earlier.map)).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(now.map.equals(earlier.map)).isEqualTo(now.model.equals(earlier.model));
            }
        }
        history.forEach(step -> assertSame(step.map, step.model)); // nothing old was touched
    }

    @SuppressWarnings("ReferenceEquality") // a step that changes nothing gives the very same map
    private static Step next(Step before, Key key, Random random) {
        // Values are few, so that a key often gets the value that it has already; phases grow and shrink the map.
        boolean grow = random.nextInt(100) < (before.model.size() < 150 ? 65 : 35);
        Map<Key, Integer> model = new HashMap<>(before.model);
        int value = random.nextInt(3);
        PersistentMap<Key, Integer> map = grow ? before.map.with(key, value) : before.map.without(key);
        boolean same = grow ? Objects.equals(model.put(key, value), value) : model.remove(key) == null;
        assertThat(map == before.map).isEqualTo(same);
        assertThat(map.find(key).isPresent()).isEqualTo(grow);
        assertThat(map.size()).isEqualTo(model.size());
        return new Step(map, model);
    }

    @Test
    void maps_of_different_lineage_are_compared_by_what_they_hold() {
        PersistentMap<Key, Integer> one = PersistentMap.empty();
        PersistentMap<Key, Integer> two = PersistentMap.empty();
        for (int id = 0; id < 200; id++) {
            one = one.with(new Key(id, id / 3), id);
            two = two.with(new Key(199 - id, (199 - id) / 3), 199 - id);
        }
        assertThat(one).isEqualTo(two).hasSameHashCodeAs(two);
        assertThat(changed(one, two)).isEmpty();
        assertThat(changed(one, two.with(new Key(5, 1), 0).without(new Key(9, 3))))
                .containsExactlyInAnyOrder(5, 9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 300})
    void what_is_put_in_at_once_is_what_is_put_in_one_by_one(int hashes) {
        Map<Key, Integer> model = new HashMap<>();
        PersistentMap<Key, Integer> grown = PersistentMap.empty();
        for (int id = 0; id < 300; id++) {
            Key key = new Key(id, id % hashes * 0x01010101);
            model.put(key, id);
            grown = grown.with(key, id);
        }
        PersistentMap<Key, Integer> built = PersistentMap.<Key, Integer>empty().withAll(model);
        assertSame(built, model);
        assertThat(built).isEqualTo(grown);
        assertThat(changed(grown, built)).isEmpty();
        Key first = new Key(0, 0);
        assertThat(changed(built, built.with(first, -1))).containsExactly(0);
        assertThat(changed(built, grown.without(first))).containsExactly(0);
        assertThat(built.with(first, -1).withAll(model)).isEqualTo(grown);
        assertThat(PersistentMap.empty().withAll(Map.of())).isEqualTo(PersistentMap.empty());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 300})
    void of_those_with_one_key_the_first_is_there_and_the_others_are_reported(int hashes) {
        PersistentMap<Key, Integer> grown = PersistentMap.empty();
        List<Integer> values = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int id = 0; id < 300; id += 1 + round) {
                values.add(round * 1_000 + id);
            }
        }
        List<Integer> doubles = new ArrayList<>();
        PersistentMap<Key, Integer> built = PersistentMap.of(
                values, value -> new Key(value % 1_000, value % 1_000 % hashes * 0x01010101), doubles::add);
        for (int id = 0; id < 300; id++) {
            grown = grown.with(new Key(id, id % hashes * 0x01010101), id);
        }
        assertThat(built).isEqualTo(grown);
        assertThat(doubles)
                .containsExactlyInAnyOrderElementsOf(
                        values.stream().filter(value -> value >= 1_000).toList());
        assertThat(PersistentMap.of(List.<Integer>of(), value -> value, doubles::add))
                .isEqualTo(PersistentMap.empty());
    }

    @Test
    void a_map_emptied_again_is_empty() {
        PersistentMap<Key, Integer> map = PersistentMap.empty();
        for (int id = 0; id < 100; id++) {
            map = map.with(new Key(id, id % 10), id);
        }
        for (int id = 0; id < 100; id++) {
            map = map.without(new Key(id, id % 10));
        }
        assertThat(map).isEqualTo(PersistentMap.empty());
        assertThat(map.keys()).isEmpty();
        assertThat(map.values()).isEmpty();
    }

    @Test
    void the_difference_is_found_without_looking_at_what_is_shared() {
        int[] compared = {0};
        record Counting(int value, int[] compared) {
            @Override
            public boolean equals(Object other) {
                compared[0]++;
                return other instanceof Counting counting && counting.value == value;
            }

            @Override
            public int hashCode() {
                return value;
            }
        }
        PersistentMap<Integer, Counting> older = PersistentMap.empty();
        for (int i = 0; i < 20_000; i++) {
            older = older.with(i, new Counting(i, compared));
        }
        PersistentMap<Integer, Counting> newer = older.with(77, new Counting(-1, compared));
        compared[0] = 0;
        List<Integer> changed = new ArrayList<>();
        newer.changedSince(older, changed::add);
        assertThat(changed).containsExactly(77);
        assertThat(compared[0]).isLessThan(3);
    }
}
