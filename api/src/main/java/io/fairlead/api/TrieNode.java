package io.fairlead.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The nodes of a [PersistentMap].
///
/// A leaf holds one pair; pairs whose hashes are equal lie together. A branch holds the nodes of up to 32 values of
/// the next five bits of the hash, as many as there are, with a bitmap that says which.
///
/// Each kind of node has methods of its own, and no switch asks which it is: a large cluster's maps are walked
/// millions of times before the JVM has compiled anything well, and a switch over types is slow until then.
sealed interface TrieNode<K, V> {
    int BITS = 5;

    /// The value of `key`, if it is in here.
    @Nullable
    V find(K key, int hash, int shift);

    TrieNode<K, V> with(Leaf<K, V> leaf, int shift);

    /// Without `key`, which is there; nothing if nothing is left.
    @Nullable
    TrieNode<K, V> without(K key, int hash, int shift);

    void forEach(BiConsumer<? super K, ? super V> action);

    record Leaf<K, V>(int hash, K key, V value) implements TrieNode<K, V> {
        @Override
        public @Nullable V find(K wanted, int itsHash, int shift) {
            return hash == itsHash && key.equals(wanted) ? value : null;
        }

        @Override
        public TrieNode<K, V> with(Leaf<K, V> leaf, int shift) {
            if (hash != leaf.hash) {
                return branchOf(this, hash, leaf, shift);
            }
            return key.equals(leaf.key) ? leaf : new Collision<>(hash, List.of(this, leaf));
        }

        @Override
        public @Nullable TrieNode<K, V> without(K gone, int itsHash, int shift) {
            return null;
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            action.accept(key, value);
        }
    }

    /// Pairs that no branch can tell apart; two or more.
    record Collision<K, V>(int hash, List<Leaf<K, V>> leaves) implements TrieNode<K, V> {
        @Override
        public @Nullable V find(K key, int itsHash, int shift) {
            for (Leaf<K, V> leaf : leaves) {
                if (leaf.key.equals(key)) {
                    return leaf.value;
                }
            }
            return null;
        }

        @Override
        public TrieNode<K, V> with(Leaf<K, V> leaf, int shift) {
            if (hash != leaf.hash) {
                return branchOf(this, hash, leaf, shift);
            }
            List<Leaf<K, V>> all = new ArrayList<>(leaves);
            all.removeIf(known -> known.key.equals(leaf.key));
            all.add(leaf);
            return new Collision<>(hash, List.copyOf(all));
        }

        @Override
        public TrieNode<K, V> without(K key, int itsHash, int shift) {
            List<Leaf<K, V>> rest =
                    leaves.stream().filter(leaf -> !leaf.key.equals(key)).toList();
            return rest.size() == 1 ? rest.getFirst() : new Collision<>(hash, rest);
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            leaves.forEach(leaf -> leaf.forEach(action));
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

        @Override
        public @Nullable V find(K key, int hash, int shift) {
            int bit = bit(hash, shift);
            return (bitmap & bit) == 0 ? null : children[index(bit)].find(key, hash, shift + BITS);
        }

        @Override
        public TrieNode<K, V> with(Leaf<K, V> leaf, int shift) {
            int bit = bit(leaf.hash, shift);
            int index = index(bit);
            return (bitmap & bit) == 0
                    ? new Branch<>(bitmap | bit, inserted(children, index, leaf))
                    : replaced(index, children[index].with(leaf, shift + BITS));
        }

        @Override
        public @Nullable TrieNode<K, V> without(K key, int hash, int shift) {
            int bit = bit(hash, shift);
            int index = index(bit);
            TrieNode<K, V> rest = children[index].without(key, hash, shift + BITS);
            return rest == null ? dropped(bit, index) : replaced(index, rest);
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            for (TrieNode<K, V> child : children) {
                child.forEach(action);
            }
        }

        private Branch<K, V> replaced(int index, TrieNode<K, V> node) {
            TrieNode<K, V>[] copy = children.clone();
            copy[index] = node;
            return new Branch<>(bitmap, copy);
        }

        private @Nullable TrieNode<K, V> dropped(int bit, int index) {
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
