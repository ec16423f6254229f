package io.fairlead.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/// Folders and files of this room on disk; what fails is a [NodeException] that names the path.
final class Folders {
    private Folders() {}

    /// Makes a folder and those above it; the last one gets `mode`, such as `rwx------`.
    static void make(Path folder, String mode) {
        try {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
        } catch (IOException e) {
            throw new NodeException("cannot make " + folder, e);
        }
    }

    /// Replaces a file by a rename: a reader sees the old or the new one. Its owner alone may read it.
    static void write(Path file, String text) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(fresh, text);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NodeException("cannot write " + file, e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new NodeException("cannot read " + file, e);
        }
    }

    /// Deletes a file or a folder with all that is in it; a link goes, what it leads to stays.
    static void delete(Path top) {
        if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.walkFileTree(top, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(
                        Path folder, java.io.@org.jspecify.annotations.Nullable IOException e) throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException e) {
            delete(top); // it went while we looked
        } catch (IOException e) {
            throw new NodeException("cannot remove " + top, e);
        }
    }

    /// How much is below a place; links are not followed.
    static long bytes(Path top) {
        try (Stream<Path> all = Files.walk(top)) {
            return all.mapToLong(Folders::size).sum();
        } catch (IOException | UncheckedIOException e) {
            return 0; // it went while we looked
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0; // it went while we looked
        }
    }
}
