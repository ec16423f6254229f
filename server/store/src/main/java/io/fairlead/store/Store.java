package io.fairlead.store;

import io.fairlead.api.Revision;
import java.util.List;
import java.util.Optional;

/// Keys to values, with one revision counter for all writes: the only mutable truth.
///
/// Each successful [#put] and [#delete] takes a later revision. No write is answered before it is durable, and no
/// revision is given twice, across a crash too. A write that cannot be made durable throws [StoreException], which says
/// whether it may have been made all the same; so does every call on a closed store.
///
/// Values are shared, not copied: no caller changes an array that went in or came out.
public interface Store extends AutoCloseable {

    /// Writes if the key's newest revision is `expected`; [Revision#ZERO] means that the key must not be there.
    default Outcome put(String key, byte[] value, Revision expected) {
        return put(List.of(new Put(key, value, expected))).getFirst();
    }

    /// The same for several keys, no two alike: none is ever written without those before it, not in a crash either.
    ///
    /// There is an outcome for each. If one is a conflict so are all after it, and as a rule those before it:
    /// with the revision that was expected, because nothing was wrong with them.
    List<Outcome> put(List<Put> puts);

    /// Deletes if the key is there and its newest revision is `expected`.
    Outcome delete(String key, Revision expected);

    /// The newest value under `key`.
    Optional<Stored> find(String key);

    /// All that is under keys that start with `prefix`, sorted by key, as of one revision.
    Listing list(String prefix);

    /// The newest revision: nothing that a caller was answered before this call is later, and every watch reaches it.
    Revision revision();

    /// Every change under `prefix` after `after`, in order and without a gap; throws [CompactedException] if a part
    /// of that history is gone. Reading it is one thread's work.
    Watch watch(String prefix, Revision after);

    /// A revision before `revision`, by so many writes as near as the store can tell.
    Revision before(Revision revision, long writes);

    /// Forgets the history up to and including `upTo`, which is no later than the newest revision; the newest values
    /// stay.
    void compact(Revision upTo);

    /// True if other processes may write to it at the same time.
    boolean isShared();

    /// Why writes fail at present; empty if they do not, or if only a write would tell.
    default Optional<String> trouble() {
        return Optional.empty();
    }

    @Override
    void close();

    /// A value for a key that is at `expected`.
    record Put(String key, byte[] value, Revision expected) implements StoreWrite.OfKey {
        @Override
        public int size() {
            return key.length() + value.length;
        }
    }

    /// A value and the revision that wrote it.
    record Stored(String key, byte[] value, Revision revision) {}

    /// What [#list] gives: the items, and the revision of which they are the state.
    record Listing(List<Stored> items, Revision revision) {
        public Listing {
            items = List.copyOf(items);
        }
    }

    /// What became of a write.
    sealed interface Outcome {
        /// It is durable, at `revision`.
        record Done(Revision revision) implements Outcome {}

        /// Nothing was written: the key's newest revision is `actual`, [Revision#ZERO] if it is not there.
        record Conflict(Revision actual) implements Outcome {}
    }

    /// One change; `previous` is the value before it, empty if there was none.
    sealed interface Change {
        String key();

        Revision revision();

        Optional<Stored> previous();

        record Put(Stored stored, Optional<Stored> previous) implements Change {
            @Override
            public String key() {
                return stored.key();
            }

            @Override
            public Revision revision() {
                return stored.revision();
            }
        }

        record Delete(String key, Revision revision, Optional<Stored> previous) implements Change {}
    }

    /// Changes in order, and the revision up to which these are all. There may be none: then only time went on,
    /// elsewhere than under the prefix.
    record Batch(List<Change> changes, Revision upTo) {}

    /// A stream of changes that one reader reads; ends when closed, when the store closes, or when its reader is so
    /// slow that too many changes wait for it. It never skips one: a reader goes on with a new watch from where
    /// it is.
    interface Watch extends AutoCloseable {
        /// Waits for what comes next; nothing comes back when the watch has ended.
        Optional<Batch> next() throws InterruptedException;

        @Override
        void close();
    }
}
