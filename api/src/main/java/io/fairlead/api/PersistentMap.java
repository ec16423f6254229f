package io.fairlead.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An immutable hash map: a changed copy shares all it can with the map it came from.
///
/// It is a hash array mapped trie (Bagwell, "Ideal Hash Trees", 2001) with 32-way nodes. What matters here is
/// [#changedSince]: two maps of one lineage are compared by walking only what they do not share, so a snapshot
/// can say what differs from the one before it at the cost of the change, not of the cluster.
public final class PersistentMap<K, V> {
    private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(null, 0);

    private final @Nullable TrieNode<K, V> root;
    private final int size;

    private PersistentMap(@Nullable TrieNode<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // an empty map holds nothing of the wrong type
    public static <K, V> PersistentMap<K, V> empty() {
        return (PersistentMap<K, V>) EMPTY;
    }

    /// All `values` by their keys, made at once. Of those with one key the first is there, the others go to `doubles`.
    public static <K, V> PersistentMap<K, V> of(Collection<V> values, Function<V, K> keyOf, Consumer<V> doubles) {
        List<TrieNode.Leaf<K, V>> leaves = new ArrayList<>(values.size());
        for (V value : values) {
            K key = keyOf.apply(value);
            leaves.add(new TrieNode.Leaf<>(TrieNode.spread(key), key, value));
        }
        List<TrieNode.Leaf<K, V>> firsts = new ArrayList<>(values.size());
        for (TrieNode.Leaf<K, V> leaf : TrieNode.ordered(leaves)) {
            if (isFirst(leaf, firsts)) {
                firsts.add(leaf);
            } else {
                doubles.accept(leaf.value());
            }
        }
        return firsts.isEmpty() ? empty() : new PersistentMap<>(TrieNode.of(firsts), firsts.size());
    }

    /// Whether none of its key is among the last of `firsts`, where all of its hash are.
    private static <K, V> boolean isFirst(TrieNode.Leaf<K, V> leaf, List<TrieNode.Leaf<K, V>> firsts) {
        for (int i = firsts.size() - 1; i >= 0 && firsts.get(i).hash() == leaf.hash(); i--) {
            if (firsts.get(i).key().equals(leaf.key())) {
                return false;
            }
        }
        return true;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public Optional<V> find(K key) {
        return root == null ? Optional.empty() : Optional.ofNullable(root.find(key, TrieNode.spread(key), 0));
    }

    public boolean contains(K key) {
        return find(key).isPresent();
    }

    /// A map in which `key` has `value`; this very map if it had it already.
    public PersistentMap<K, V> with(K key, V value) {
        int hash = TrieNode.spread(key);
        if (root == null) {
            return new PersistentMap<>(new TrieNode.Leaf<>(hash, key, value), 1);
        }
        V before = root.find(key, hash, 0);
        if (before != null && before.equals(value)) {
            return this;
        }
        TrieNode<K, V> changed = root.with(new TrieNode.Leaf<>(hash, key, value), 0);
        return new PersistentMap<>(changed, before == null ? size + 1 : size);
    }

    /// A map in which each key of `more` has the value it has there.
    ///
    /// Where this map is empty it is made at once, without a copy of its path for every key.
    public PersistentMap<K, V> withAll(Map<K, V> more) {
        if (root == null) {
            List<TrieNode.Leaf<K, V>> leaves = new ArrayList<>(more.size());
            more.forEach((key, value) -> leaves.add(new TrieNode.Leaf<>(TrieNode.spread(key), key, value)));
            return new PersistentMap<>(TrieNode.of(TrieNode.ordered(leaves)), leaves.size());
        }
        PersistentMap<K, V> map = this;
        for (Map.Entry<K, V> entry : more.entrySet()) {
            map = map.with(entry.getKey(), entry.getValue());
        }
        return map;
    }

    /// A map without `key`; this very map if there was none.
    public PersistentMap<K, V> without(K key) {
        int hash = TrieNode.spread(key);
        if (root == null || root.find(key, hash, 0) == null) {
            return this;
        }
        return new PersistentMap<>(root.without(key, hash, 0), size - 1);
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        if (root != null) {
            root.forEach(action);
        }
    }

    /// The values, in no order that means anything.
    public Stream<V> values() {
        Stream.Builder<V> values = Stream.builder();
        forEach((_, value) -> values.add(value));
        return values.build();
    }

    /// The keys, in no order that means anything.
    public Stream<K> keys() {
        Stream.Builder<K> keys = Stream.builder();
        forEach((key, _) -> keys.add(key));
        return keys.build();
    }

    /// Names each key that is only in one of the maps, or has another value in `older`; once each.
    public void changedSince(PersistentMap<K, V> older, Consumer<? super K> changed) {
        TrieNode.difference(older.root, root, changed);
    }

    /// Takes as long as the two differ: what they share is not looked at.
    @Override
    @SuppressWarnings("unchecked") // keys are only looked up, never stored
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof PersistentMap<?, ?> map) || map.size != size) {
            return other == this;
        }
        boolean[] same = {true};
        ((PersistentMap<Object, Object>) this).changedSince((PersistentMap<Object, Object>) map, _ -> same[0] = false);
        return same[0];
    }

    @Override
    public int hashCode() {
        int[] sum = {0};
        forEach((key, value) -> sum[0] += key.hashCode() ^ value.hashCode());
        return sum[0];
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        forEach((key, value) -> text.append(text.length() > 1 ? ", " : "")
                .append(key)
                .append('=')
                .append(value));
        return text.append('}').toString();
    }
}
