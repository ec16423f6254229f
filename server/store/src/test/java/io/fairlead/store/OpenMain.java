package io.fairlead.store;

import java.nio.file.Path;

/// Opens a store, and says why if it cannot.
final class OpenMain {
    private OpenMain() {}

    public static void main(String[] arguments) {
        try (Store _ = SqliteStore.open(Path.of(arguments[0]))) {
            System.out.println("open");
        } catch (StoreException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }
}
