package io.fairlead.forwarding;

/// One thing that a backend owns in the kernel, as a value: entries of the same content are equal.
///
/// Two entries with the same key cannot be there at once; `toString` is the line that dumps and golden files show.
public interface Entry {
    /// What tells this entry from all others of its backend; has `equals` and `hashCode`, and sorts by its text.
    Object key();
}
