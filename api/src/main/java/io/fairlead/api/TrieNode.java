package io.fairlead.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The nodes of a [PersistentMap].
///
/// A leaf holds the pairs of one hash: one pair, or several where hashes collide. A branch holds the nodes of up
/// to 32 values of the next five bits of the hash, as many as there are, with a bitmap that says which.
sealed interface TrieNode<K, V> {
    int BITS = 5;

    record Leaf<K, V>(int hash, Object[] pairs) implements TrieNode<K, V> {}

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

    static <K, V> TrieNode<K, V> leaf(int hash, K key, V value) {
        return new Leaf<>(hash, new Object[] {key, value});
    }

    /// All pairs at once; nothing where there are none.
    static <K, V> @Nullable TrieNode<K, V> of(Map<K, V> pairs) {
        List<Leaf<K, V>> leaves = new ArrayList<>(pairs.size());
        pairs.forEach((key, value) -> leaves.add(new Leaf<>(spread(key), new Object[] {key, value})));
        return leaves.isEmpty() ? null : of(leaves, 0);
    }

    private static <K, V> TrieNode<K, V> of(List<Leaf<K, V>> leaves, int shift) {
        if (leaves.size() == 1) {
            return leaves.getFirst();
        }
        if (shift >= Integer.SIZE) {
            return collided(leaves);
        }
        @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
        List<Leaf<K, V>>[] parts = new List[1 << BITS];
        int bitmap = 0;
        for (Leaf<K, V> leaf : leaves) {
            int part = leaf.hash >>> shift & 31;
            if (parts[part] == null) {
                parts[part] = new ArrayList<>(2);
                bitmap |= 1 << part;
            }
            parts[part].add(leaf);
        }
        return new Branch<>(bitmap, children(parts, bitmap, shift + BITS));
    }

    private static <K, V> TrieNode<K, V>[] children(List<Leaf<K, V>>[] parts, int bitmap, int shift) {
        @SuppressWarnings("unchecked")
        TrieNode<K, V>[] children = (TrieNode<K, V>[]) new TrieNode<?, ?>[Integer.bitCount(bitmap)];
        int count = 0;
        for (List<Leaf<K, V>> part : parts) {
            if (part != null) {
                children[count++] = of(part, shift);
            }
        }
        return children;
    }

    /// Keys of one hash, which no branch can tell apart.
    private static <K, V> Leaf<K, V> collided(List<Leaf<K, V>> leaves) {
        Object[] pairs =
                leaves.stream().flatMap(leaf -> Arrays.stream(leaf.pairs)).toArray();
        return new Leaf<>(leaves.getFirst().hash, pairs);
    }

    private static int bit(int hash, int shift) {
        return 1 << (hash >>> shift & 31);
    }

    @SuppressWarnings("unchecked") // pairs hold key, value, key, value, …
    default @Nullable V find(K key, int hash, int shift) {
        return switch (this) {
            case Leaf<K, V>(int own, Object[] pairs) -> {
                int at = own == hash ? indexOf(pairs, key) : -1;
                yield at < 0 ? null : (V) pairs[at + 1];
            }
            case Branch<K, V> branch -> {
                int bit = bit(hash, shift);
                yield (branch.bitmap & bit) == 0
                        ? null
                        : branch.children[branch.index(bit)].find(key, hash, shift + BITS);
            }
        };
    }

    default TrieNode<K, V> with(K key, V value, int hash, int shift) {
        return switch (this) {
            case Leaf<K, V>(int own, Object[] pairs)
            when own == hash -> {
                int at = indexOf(pairs, key);
                Object[] copy = Arrays.copyOf(pairs, at < 0 ? pairs.length + 2 : pairs.length);
                copy[at < 0 ? pairs.length : at] = key;
                copy[at < 0 ? pairs.length + 1 : at + 1] = value;
                yield new Leaf<>(own, copy);
            }
            case Leaf<K, V> leaf -> branchOf(leaf, new Leaf<>(hash, new Object[] {key, value}), shift);
            case Branch<K, V> branch -> {
                int bit = bit(hash, shift);
                int index = branch.index(bit);
                if ((branch.bitmap & bit) == 0) {
                    yield new Branch<>(branch.bitmap | bit, inserted(branch.children, index, leaf(hash, key, value)));
                }
                yield branch.replaced(index, branch.children[index].with(key, value, hash, shift + BITS));
            }
        };
    }

    /// Without `key`, which is there; nothing if nothing is left.
    default @Nullable TrieNode<K, V> without(K key, int hash, int shift) {
        return switch (this) {
            case Leaf<K, V>(int own, Object[] pairs) -> {
                int at = indexOf(pairs, key);
                yield pairs.length == 2 ? null : new Leaf<>(own, removed(pairs, at));
            }
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
            case Leaf<K, V>(var _, Object[] pairs) -> {
                for (int i = 0; i < pairs.length; i += 2) {
                    @SuppressWarnings("unchecked")
                    K key = (K) pairs[i];
                    @SuppressWarnings("unchecked")
                    V value = (V) pairs[i + 1];
                    action.accept(key, value);
                }
            }
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

    /// At least one of the two is a leaf, so one of them is small: look each key up in the other.
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

    private static <K, V> TrieNode<K, V> branchOf(Leaf<K, V> one, Leaf<K, V> two, int shift) {
        int bitOne = bit(one.hash, shift);
        int bitTwo = bit(two.hash, shift);
        if (bitOne == bitTwo) {
            return new Branch<>(bitOne, children(branchOf(one, two, shift + BITS)));
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

    private static Object[] removed(Object[] pairs, int at) {
        Object[] copy = Arrays.copyOf(pairs, pairs.length - 2);
        System.arraycopy(pairs, at + 2, copy, at, pairs.length - at - 2);
        return copy;
    }

    private static int indexOf(Object[] pairs, Object key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }
}
