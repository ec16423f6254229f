package io.fairlead.sync;

import java.util.stream.Collectors;

/// The text of `/dump`.
final class DumpText {
    private DumpText() {}

    static String format(SyncJournal.Synced synced) {
        return """
                # synced %s at revision %s
                # forwarding table, %d services
                %s
                %s%s""".formatted(
                        synced.time(),
                        synced.snapshot().revision(),
                        synced.table().rows().size(),
                        synced.table().text(),
                        notes(synced.program()),
                        synced.program().text());
    }

    /// What could not be programmed as asked; nothing where all was.
    private static String notes(LayeredProgram program) {
        return program.notes().map(note -> "# note: " + note + "\n").sorted().collect(Collectors.joining());
    }
}
