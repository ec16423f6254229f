package io.fairlead.containers;

import java.nio.file.Path;
import java.util.List;

/// A program that holds the streams of a container for those who talk to it; it is in the folder of [Programs].
public interface TerminalProgram {
    /// The words before the container's own; clients come to `socket`. Both are paths inside the container.
    List<String> words(boolean tty, boolean once, Path socket);
}
