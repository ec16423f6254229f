package io.fairlead.store;

final class MemoryStoreTest implements StoreContract, WatchContract {
    @Override
    public Store open() {
        return new MemoryStore();
    }
}
