package io.fairlead.apiserver;

/// What one write took for its object, until it is known whether the write was done.
interface Allocation {
    Allocation NONE = new Allocation() {
        @Override
        public void keep() {}

        @Override
        public void undo() {}
    };

    /// The write was done: gives back what the object had before and no longer has.
    void keep() throws InterruptedException;

    /// The write was not done: gives back what was taken for it.
    void undo() throws InterruptedException;
}
