package io.fairlead.up;

import io.fairlead.lab.LabException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Held by the one `up` of a name and of a directory; each file names its holder.
///
/// The kernel takes the lock away when the process ends, however it ends. The files stay, for a process that has
/// just opened one of them would then hold a lock that no other process sees; only `cleanup` removes them.
final class ClusterLock implements AutoCloseable {
    private static final Path MACHINE_WIDE = Path.of("/run");

    private final List<Path> files;
    private final Deque<FileChannel> held = new ArrayDeque<>();

    private ClusterLock(List<Path> files) {
        this.files = files;
    }

    /// Takes both locks, or throws a [LabException] that says who has one. A directory that is not there needs none.
    static ClusterLock take(String cluster, Path dir) {
        ClusterLock lock = new ClusterLock(files(cluster, dir));
        try {
            for (Path file : lock.files) {
                lock.take(file);
            }
            return lock;
        } catch (IOException e) {
            lock.close();
            throw new LabException("the lock of %s in %s cannot be taken: %s".formatted(cluster, dir, e), e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static List<Path> files(String cluster, Path dir) {
        Path machineWide = MACHINE_WIDE.resolve(cluster + ".lock");
        return Files.isDirectory(dir) ? List.of(machineWide, dir.resolve("lock")) : List.of(machineWide);
    }

    private void take(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        held.push(channel);
        if (!tryLock(channel)) {
            String holder = StandardCharsets.US_ASCII.decode(read(channel)).toString();
            held.pop().close();
            throw new LabException("%s is held by process %s: a cluster is running already, stop it first (Ctrl-C)"
                    .formatted(file, holder.isBlank() ? "unknown" : holder.strip()));
        }
        String pid = ProcessHandle.current().pid() + "\n";
        channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held in this very process
        }
    }

    private static ByteBuffer read(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(32);
        channel.read(content, 0);
        return content.flip();
    }

    void deleteFiles() throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void close() {
        while (!held.isEmpty()) {
            try {
                held.pop().close();
            } catch (IOException e) {
                throw new LabException("a lock cannot be given back: " + e.getMessage(), e);
            }
        }
    }
}
