package io.fairlead.store;

import io.fairlead.api.Revision;

/// What a caller asks of the thread that writes.
sealed interface StoreWrite permits StoreWrite.OfKey, StoreWrite.Compact {
    /// Of one key, if that is at the revision that is expected.
    sealed interface OfKey extends StoreWrite permits Store.Put, Delete {
        String key();

        Revision expected();

        /// About how many bytes it takes to tell.
        int size();
    }

    record Delete(String key, Revision expected) implements OfKey {
        @Override
        public int size() {
            return key.length();
        }
    }

    record Compact(Revision upTo) implements StoreWrite {}
}
