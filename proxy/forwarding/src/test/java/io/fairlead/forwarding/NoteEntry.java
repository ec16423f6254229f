package io.fairlead.forwarding;

/// An entry for tests: any content under any key.
record NoteEntry(String key, String content) implements Entry {
    @Override
    public String toString() {
        return key + " = " + content;
    }
}
