package io.fairlead.commands;

/// How much a program logs; [LogSetup] reads it when the first line is logged.
final class Logs {
    private static final String LEVEL = "fairlead.log";

    private Logs() {}

    static String level() {
        return System.getProperty(LEVEL, "INFO");
    }

    /// For programs that talk to their user by themselves.
    static void onlyWarnings() {
        if (System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, "WARN");
        }
    }
}
