package io.fairlead.commands;

import io.fairlead.kubectl.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The name that this machine gives itself: asked of the kernel, because a resolver may know it by another one.
final class HostName {
    private static final Path FILE = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /// In lower case, as the names of nodes are; `option` is what a user can say instead.
    static String read(String option) {
        try {
            String name = Files.readString(FILE).strip().toLowerCase(Locale.ROOT);
            if (!name.isEmpty()) {
                return name;
            }
        } catch (IOException e) {
            throw new CommandException("error: %s: the host's name cannot be read, so give one".formatted(option), e);
        }
        throw new CommandException("error: %s: this host has no name of its own, so give one".formatted(option));
    }
}
