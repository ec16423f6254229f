package io.fairlead.forwarding;

/// One thing that a backend owns in the kernel.
///
/// Two entries with the same key cannot be there at once; `toString` is the line that dumps and golden files show.
public interface Entry {
    /// What tells this entry from all others of its backend; has `equals`, and sorts by its text.
    Object key();
}
