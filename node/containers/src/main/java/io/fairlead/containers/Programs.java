package io.fairlead.containers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// The programs of the built-in images, as files; containers find them in `/run/fairlead`.
public final class Programs {
    static final Path FOLDER = Path.of("/run/fairlead");
    private static final String ECHO = "echo.pl";

    private Programs() {}

    /// Puts them into `folder`.
    public static void unpack(Path folder) {
        Path fresh = folder.resolve(ECHO + ".new");
        try (InputStream program = Programs.class.getResourceAsStream(ECHO)) {
            if (program == null) {
                throw new IllegalStateException(ECHO + " is missing beside this class");
            }
            Files.createDirectories(folder);
            Files.copy(program, fresh, StandardCopyOption.REPLACE_EXISTING);
            Files.move(
                    fresh, folder.resolve(ECHO), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NodeException("cannot write the programs into " + folder, e);
        }
    }
}
