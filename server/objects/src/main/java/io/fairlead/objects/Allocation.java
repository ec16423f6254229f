package io.fairlead.objects;

import io.fairlead.store.Store;
import java.util.List;

/// What one write takes for its object: it is stored with the object, or not at all.
interface Allocation {
    Allocation NONE = new Allocation() {
        @Override
        public List<Store.Put> claims() {
            return List.of();
        }

        @Override
        public void keep() {}

        @Override
        public void undo(List<Store.Outcome> outcomes) {}
    };

    /// What has to be stored before the object.
    List<Store.Put> claims();

    /// The write was done: gives back what the object had before and no longer has.
    void keep() throws InterruptedException;

    /// The write was not done: gives back the claims that were stored all the same, and makes the object what it was.
    void undo(List<Store.Outcome> outcomes) throws InterruptedException;
}
