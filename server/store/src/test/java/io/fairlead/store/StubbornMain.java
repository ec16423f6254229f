package io.fairlead.store;

import static io.fairlead.store.Reading.putNew;

import java.nio.file.Path;

/// Creates key after key, whatever happens, and prints a line whenever it begins to work or begins to fail, and at
/// last, when it has worked again after a failure, how many creates were answered.
final class StubbornMain {
    private StubbornMain() {}

    public static void main(String[] arguments) {
        String value = "x".repeat(1_000);
        try (Store store = SqliteStore.open(Path.of(arguments[0]))) {
            System.out.println("open");
            int answered = writeUntilFailure(store, value);
            answered += writeUntilSuccess(store, value);
            System.out.println("answered " + answered);
        }
    }

    private static int writeUntilFailure(Store store, String value) {
        int answered = 0;
        try {
            while (true) {
                putNew(store, "before" + answered, value);
                answered++;
            }
        } catch (StoreException e) {
            System.out.println(e.kind() + " " + e.getMessage());
            return answered;
        }
    }

    private static int writeUntilSuccess(Store store, String value) {
        while (true) {
            try {
                putNew(store, "after", value);
                return 1;
            } catch (StoreException e) {
                // the disk is still full: once more
            }
        }
    }
}
