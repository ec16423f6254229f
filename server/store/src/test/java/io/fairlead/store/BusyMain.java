package io.fairlead.store;

import static io.fairlead.store.Reading.done;
import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;

import io.fairlead.api.Revision;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/// Writes as fast as it can until it is killed, and prints each answer: `put key revision`, `delete key revision`.
/// Arguments: the file, the name of the round, and `compact` if it shall also forget the history all the time.
final class BusyMain {
    static final int WRITERS = 6;

    private final Store store;
    private final String round;
    private final OutputStream output;

    private BusyMain(Store store, String round, OutputStream output) {
        this.store = store;
        this.round = round;
        this.output = output;
    }

    public static void main(String[] arguments) throws Exception {
        try (Store store = SqliteStore.open(Path.of(arguments[0]));
                var tasks = new TaskGroup("busy")) {
            BusyMain busy = new BusyMain(store, arguments[1], System.out);
            busy.print("open");
            for (int i = 0; i < WRITERS; i++) {
                String writer = "w" + i;
                tasks.run(writer, () -> busy.write(writer));
            }
            if (arguments.length > 2) {
                tasks.run("compact", busy::compact);
            }
            tasks.await();
        }
    }

    /// Each third key is written twice, each fifth is deleted.
    private void write(String writer) throws IOException {
        for (int i = 1; true; i++) {
            String key = "%s/%s/%d".formatted(round, writer, i);
            Revision revision = answered("put", key, putNew(store, key, key));
            if (i % 3 == 0) {
                revision = answered("put", key, put(store, key, "again " + key, revision));
            }
            if (i % 5 == 0) {
                answered("delete", key, done(store.delete(key, revision)));
            }
        }
    }

    private void compact() {
        while (true) {
            store.compact(store.list("none").revision());
        }
    }

    private Revision answered(String verb, String key, Revision revision) throws IOException {
        print("%s %s %s".formatted(verb, key, revision));
        return revision;
    }

    // One write(2) a line: a line is in the file or it is not, whenever the kill comes.
    private synchronized void print(String line) throws IOException {
        output.write(Reading.bytes(line + "\n"));
        output.flush();
    }
}
