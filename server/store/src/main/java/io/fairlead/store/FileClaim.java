package io.fairlead.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The right to write a file: one process has it at a time. It is a lock on a file beside it, and the kernel takes it
/// back when the process dies. The lock file itself stays: to remove it would let two processes lock two files.
final class FileClaim implements AutoCloseable {
    // POSIX drops all locks of a process on a file when it closes any descriptor of it. So a second claim inside one
    // process must be refused before the lock file is opened again.
    private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

    private final Path lockFile;
    private final FileChannel channel;

    private FileClaim(Path lockFile, FileChannel channel) {
        this.lockFile = lockFile;
        this.channel = channel;
    }

    static FileClaim of(Path file) throws IOException {
        Path lockFile = lockFile(file);
        if (!CLAIMED.add(lockFile)) {
            throw inUse(file, "this process");
        }
        try {
            return new FileClaim(lockFile, lock(file, lockFile));
        } catch (IOException | RuntimeException e) {
            CLAIMED.remove(lockFile);
            throw e;
        }
    }

    /// One name for one file, whichever way a path leads to its directory.
    private static Path lockFile(Path file) throws IOException {
        Path beside = file.toAbsolutePath().resolveSibling(".");
        return beside.toRealPath().resolve(file.getFileName() + ".lock");
    }

    private static FileChannel lock(Path file, Path lockFile) throws IOException {
        FileChannel channel = FileChannel.open(
                lockFile,
                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            if (channel.tryLock() == null) {
                throw inUse(file, "process " + Files.readString(lockFile).strip());
            }
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static StoreException inUse(Path file, String holder) {
        return new StoreException("the store %s is in use by %s: only one may have it open".formatted(file, holder));
    }

    @Override
    public void close() {
        if (channel.isOpen()) {
            release();
            CLAIMED.remove(lockFile);
        }
    }

    private void release() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
