package io.fairlead.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The nodes of a [PersistentMap].
///
/// A leaf holds one pair; pairs whose hashes are equal lie together. A branch holds the nodes of up to 32 values of the
/// next five bits of the hash, as many as there are, with a bitmap that says which.
sealed interface TrieNode<K, V> {
    int BITS = 5;

    record Leaf<K, V>(int hash, K key, V value) implements TrieNode<K, V> {}

    /// Pairs that no branch can tell apart; two or more.
    record Collision<K, V>(int hash, List<Leaf<K, V>> leaves) implements TrieNode<K, V> {
        /// With the pair, in place of one of the same key.
        Collision<K, V> with(Leaf<K, V> leaf) {
            List<Leaf<K, V>> all = new ArrayList<>(leaves);
            all.removeIf(known -> known.key.equals(leaf.key));
            all.add(leaf);
            return new Collision<>(hash, List.copyOf(all));
        }

        TrieNode<K, V> without(K key) {
            List<Leaf<K, V>> rest =
                    leaves.stream().filter(leaf -> !leaf.key.equals(key)).toList();
            return rest.size() == 1 ? rest.getFirst() : new Collision<>(hash, rest);
        }
    }

    record Branch<K, V>(int bitmap, TrieNode<K, V>[] children) implements TrieNode<K, V> {
        int index(int bit) {
            return Integer.bitCount(bitmap & (bit - 1));
        }

        @Nullable
        TrieNode<K, V> child(int bit) {
            return (bitmap & bit) == 0 ? null : children[index(bit)];
        }

        Branch<K, V> replaced(int index, TrieNode<K, V> node) {
            TrieNode<K, V>[] copy = children.clone();
            copy[index] = node;
            return new Branch<>(bitmap, copy);
        }

        @Nullable
        TrieNode<K, V> dropped(int bit, int index) {
            if (children.length == 1) {
                return null;
            }
            TrieNode<K, V>[] copy = Arrays.copyOf(children, children.length - 1);
            System.arraycopy(children, index + 1, copy, index, children.length - index - 1);
            return new Branch<>(bitmap ^ bit, copy);
        }
    }

    /// Hash codes of small records differ in few bits; spread them over the word.
    static int spread(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    /// All pairs at once, of different keys, from the bottom up; nothing where there are none.
    static <K, V> @Nullable TrieNode<K, V> of(List<Leaf<K, V>> leaves) {
        return leaves.isEmpty() ? null : of(leaves, 0, leaves.size(), 0);
    }

    /// Those from `from` to `to`, which are in [#order]: what shares a branch lies together.
    private static <K, V> TrieNode<K, V> of(List<Leaf<K, V>> ordered, int from, int to, int shift) {
        if (to - from == 1) {
            return ordered.get(from);
        }
        if (shift >= Integer.SIZE) {
            return new Collision<>(ordered.get(from).hash, List.copyOf(ordered.subList(from, to)));
        }
        int bitmap = 0;
        for (int i = from; i < to; i++) {
            bitmap |= bit(ordered.get(i).hash, shift);
        }
        @SuppressWarnings("unchecked") // Java has no arrays of generic types
        TrieNode<K, V>[] children = (TrieNode<K, V>[]) new TrieNode<?, ?>[Integer.bitCount(bitmap)];
        int start = from;
        for (int child = 0; child < children.length; child++) {
            int bit = bit(ordered.get(start).hash, shift);
            int end = start + 1;
            while (end < to && bit(ordered.get(end).hash, shift) == bit) {
                end++;
            }
            children[child] = of(ordered, start, end, shift + BITS);
            start = end;
        }
        return new Branch<>(bitmap, children);
    }

    /// The leaves in the order in which a walk through their trie meets them; equal hashes in the order they came.
    static <K, V> List<Leaf<K, V>> ordered(List<Leaf<K, V>> leaves) {
        long[] places = new long[leaves.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = order(leaves.get(i).hash) << 31 | i;
        }
        Arrays.sort(places);
        List<Leaf<K, V>> ordered = new ArrayList<>(places.length);
        for (long place : places) {
            ordered.add(leaves.get((int) place & Integer.MAX_VALUE));
        }
        return ordered;
    }

    /// The hash with the bits first that the first branch looks at, then those of the next; without a sign.
    private static long order(int hash) {
        long order = 0;
        for (int shift = 0; shift < Integer.SIZE - BITS; shift += BITS) {
            order = order << BITS | (hash >>> shift & 31);
        }
        return order << 2 | (hash >>> 30); // what is left of 32 bits
    }

    private static int bit(int hash, int shift) {
        return 1 << (hash >>> shift & 31);
    }

    default @Nullable V find(K key, int hash, int shift) {
        return switch (this) {
            case Leaf<K, V>(int own, K known, V value) -> own == hash && known.equals(key) ? value : null;
            case Collision<K, V>(var _, List<Leaf<K, V>> leaves) -> {
                for (Leaf<K, V> leaf : leaves) {
                    if (leaf.key.equals(key)) {
                        yield leaf.value;
                    }
                }
                yield null;
            }
            case Branch<K, V> branch -> {
                int bit = bit(hash, shift);
                yield (branch.bitmap & bit) == 0
                        ? null
                        : branch.children[branch.index(bit)].find(key, hash, shift + BITS);
            }
        };
    }

    default TrieNode<K, V> with(Leaf<K, V> leaf, int shift) {
        return switch (this) {
            case Leaf<K, V> known
            when known.hash == leaf.hash ->
                known.key.equals(leaf.key) ? leaf : new Collision<>(leaf.hash, List.of(known, leaf));
            case Leaf<K, V> known -> branchOf(known, known.hash, leaf, shift);
            case Collision<K, V> known when known.hash == leaf.hash -> known.with(leaf);
            case Collision<K, V> known -> branchOf(known, known.hash, leaf, shift);
            case Branch<K, V> branch -> {
                int bit = bit(leaf.hash, shift);
                int index = branch.index(bit);
                if ((branch.bitmap & bit) == 0) {
                    yield new Branch<>(branch.bitmap | bit, inserted(branch.children, index, leaf));
                }
                yield branch.replaced(index, branch.children[index].with(leaf, shift + BITS));
            }
        };
    }

    /// Without `key`, which is there; nothing if nothing is left.
    default @Nullable TrieNode<K, V> without(K key, int hash, int shift) {
        return switch (this) {
            case Leaf<K, V> _ -> null;
            case Collision<K, V> collision -> collision.without(key);
            case Branch<K, V> branch -> {
                int bit = bit(hash, shift);
                int index = branch.index(bit);
                TrieNode<K, V> rest = branch.children[index].without(key, hash, shift + BITS);
                yield rest == null ? branch.dropped(bit, index) : branch.replaced(index, rest);
            }
        };
    }

    default void forEach(BiConsumer<? super K, ? super V> action) {
        switch (this) {
            case Leaf<K, V>(var _, K key, V value) -> action.accept(key, value);
            case Collision<K, V>(var _, List<Leaf<K, V>> leaves) -> leaves.forEach(leaf -> leaf.forEach(action));
            case Branch<K, V> branch -> {
                for (TrieNode<K, V> child : branch.children) {
                    child.forEach(action);
                }
            }
        }
    }

    static <K, V> void difference(
            @Nullable TrieNode<K, V> older, @Nullable TrieNode<K, V> newer, Consumer<? super K> changed) {
        difference(older, newer, 0, changed);
    }

    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    private static <K, V> void difference(
            @Nullable TrieNode<K, V> older, @Nullable TrieNode<K, V> newer, int shift, Consumer<? super K> changed) {
        if (older == newer) {
            return;
        }
        if (older == null || newer == null) {
            TrieNode<K, V> only = older == null ? newer : older;
            if (only != null) {
                only.forEach((key, _) -> changed.accept(key));
            }
        } else if (older instanceof Branch<K, V> before && newer instanceof Branch<K, V> after) {
            for (int union = before.bitmap | after.bitmap; union != 0; union &= union - 1) {
                int bit = Integer.lowestOneBit(union);
                difference(before.child(bit), after.child(bit), shift + BITS, changed);
            }
        } else {
            pairwise(older, newer, shift, changed);
        }
    }

    /// At least one of the two is no branch, so one of them is small: look each key up in the other.
    private static <K, V> void pairwise(
            TrieNode<K, V> older, TrieNode<K, V> newer, int shift, Consumer<? super K> changed) {
        older.forEach((key, value) -> {
            V now = newer.find(key, spread(key), shift);
            if (now == null || !now.equals(value)) {
                changed.accept(key);
            }
        });
        newer.forEach((key, _) -> {
            if (older.find(key, spread(key), shift) == null) {
                changed.accept(key);
            }
        });
    }

    /// `one` has no key of the hash of `two`.
    private static <K, V> TrieNode<K, V> branchOf(TrieNode<K, V> one, int hash, Leaf<K, V> two, int shift) {
        int bitOne = bit(hash, shift);
        int bitTwo = bit(two.hash, shift);
        if (bitOne == bitTwo) {
            return new Branch<>(bitOne, children(branchOf(one, hash, two, shift + BITS)));
        }
        boolean inOrder = Integer.compareUnsigned(bitOne, bitTwo) < 0;
        return new Branch<>(bitOne | bitTwo, inserted(children(one), inOrder ? 1 : 0, two));
    }

    @SuppressWarnings("unchecked") // Java has no arrays of generic types
    private static <K, V> TrieNode<K, V>[] children(TrieNode<K, V> only) {
        return (TrieNode<K, V>[]) new TrieNode<?, ?>[] {only};
    }

    private static <K, V> TrieNode<K, V>[] inserted(TrieNode<K, V>[] nodes, int index, TrieNode<K, V> node) {
        TrieNode<K, V>[] copy = Arrays.copyOf(nodes, nodes.length + 1);
        System.arraycopy(nodes, index, copy, index + 1, nodes.length - index);
        copy[index] = node;
        return copy;
    }
}
