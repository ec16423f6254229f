package io.fairlead.store;

final class MemoryStoreTest implements StoreContract {
    @Override
    public Store open() {
        return new MemoryStore();
    }
}
