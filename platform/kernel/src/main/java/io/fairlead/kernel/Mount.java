package io.fairlead.kernel;

import java.nio.file.Path;

/// One thing that a program finds at a place of its own root; the place is made where it is missing.
public sealed interface Mount {
    /// The place, seen from the new root.
    Path target();

    /// A fresh folder in memory.
    record Memory(Path target) implements Mount {}

    /// A file or folder of the machine; `whole` with what is mounted below it.
    record Bind(Path source, Path target, boolean readOnly, boolean whole) implements Mount {}

    /// A link to somewhere else in the new root.
    record Link(Path target, Path to) implements Mount {}
}
