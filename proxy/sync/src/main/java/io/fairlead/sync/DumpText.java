package io.fairlead.sync;

/// The text of `/dump`.
final class DumpText {
    private DumpText() {}

    static String format(String mode, SyncJournal.Synced synced) {
        return """
                # synced %s at revision %s
                # forwarding table, %d services
                %s
                # %s program, %d entries
                %s""".formatted(
                        synced.time(),
                        synced.snapshot().revision(),
                        synced.table().rows().size(),
                        synced.table().text(),
                        mode,
                        synced.program().size(),
                        synced.program().text());
    }
}
