package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.PodNames;
import io.fairlead.kernel.Mounts;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the node remembers, as files; one agent at a time.
///
/// ```
/// lock   addresses.json   network.json   programs/echo.pl
/// pods/NAME-HASH/record.json             what runs, as which process
/// pods/NAME-HASH/logs/CONTAINER.RESTARTS.log  what it printed, with the time of each line
/// pods/NAME-HASH/etc/…  volumes/…        the pod's own files
/// pods/NAME-HASH/containers/…            what the runtime made
/// volumes/pvc-UID/…                      what claims have; stays until its PersistentVolume is deleted
/// memory/NAME-HASH/…                     in memory: what the API says of the pod's volumes
/// images/  runc/  sockets/               images, the runtime's own state, where clients attach
/// ```
///
/// A file is replaced by a rename, so that a reader sees the old or the new one. There is no fsync: what a crash of
/// the machine would lose describes processes that the same crash ends.
final class StateFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateFolder.class);
    private static final String RECORD = "record.json";

    private final Path root;
    private final FileChannel lock;

    private StateFolder(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /// Opens the folder for this process alone.
    static StateFolder open(Path root) {
        try {
            Files.createDirectories(root.resolve("pods"));
            Files.setPosixFilePermissions(root.resolve("pods"), PosixFilePermissions.fromString("rwx------"));
            FileChannel lock =
                    FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isFree(lock)) {
                lock.close();
                throw new NodeException("another node agent works in " + root);
            }
            return new StateFolder(root, lock);
        } catch (IOException e) {
            throw new NodeException("cannot use the state folder " + root, e);
        }
    }

    private static boolean isFree(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held in this very process
        }
    }

    Path root() {
        return root;
    }

    /// The records of all pods. One that makes no sense is set aside with its folder, and never deleted: a person may
    /// want the pod's files. One that cannot be read now, for want of descriptors or memory, is an error.
    List<PodRecord> records() {
        try (Stream<Path> folders = Files.list(root.resolve("pods"))) {
            return folders.sorted().map(this::record).flatMap(Optional::stream).toList();
        } catch (IOException e) {
            throw new NodeException("cannot read the pods in " + root, e);
        }
    }

    void save(PodRecord record) {
        Path folder = folder(record);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new NodeException("cannot make " + folder, e);
        }
        replace(folder.resolve(RECORD), PodRecordJson.format(record));
    }

    /// Forgets a pod, with its logs.
    void remove(PodRecord record) {
        deleteTree(folder(record));
    }

    Path folder(PodRecord record) {
        return root.resolve("pods").resolve(record.names().folder());
    }

    /// The log of one run of a container.
    Path log(PodRecord record, String container, int restarts) {
        return folder(record).resolve("logs").resolve("%s.%d.log".formatted(PodNames.safe(container), restarts));
    }

    /// Makes room for a new log; of the ones before, only the last is kept.
    Path startLog(PodRecord record, String container, int restarts) {
        Path old = log(record, container, restarts - 2);
        try {
            Files.createDirectories(old.getParent());
            Files.deleteIfExists(old);
            Files.deleteIfExists(old.resolveSibling(old.getFileName() + ".1"));
        } catch (IOException e) {
            throw new NodeException("cannot remove an old log of " + record.key(), e);
        }
        return log(record, container, restarts);
    }

    /// Where the folders are that claims have. They outlive pods, agents and [#clear]: what is in them is the users'.
    Path volumes() {
        return volumes(root);
    }

    static Path volumes(Path root) {
        return root.toAbsolutePath().normalize().resolve("volumes");
    }

    /// The folder of the programs of ours.
    Path programs() {
        return root.resolve("programs");
    }

    /// Makes the folder for secrets: a tmpfs, which only root may enter. One that an agent before made stays.
    void openMemory() {
        Path memory = root.resolve("memory");
        try {
            Files.createDirectories(memory);
        } catch (IOException e) {
            throw new NodeException("cannot make " + memory, e);
        }
        if (!Mounts.below(memory).contains(memory)) {
            Mounts.memory(memory, 0, "0700");
        }
    }

    /// A file of the node itself; an empty object if there is none.
    JsonNode read(String name) {
        Path file = root.resolve(name);
        return Files.exists(file) ? parse(file) : Json.object();
    }

    void write(String name, ObjectNode json) {
        replace(root.resolve(name), json);
    }

    /// Forgets everything.
    void clear() {
        deleteTree(root.resolve("pods"));
        deleteTree(root.resolve("programs"));
        for (String folder : List.of("memory", "images", "runc", "sockets")) {
            deleteTree(root.resolve(folder));
        }
        deleteTree(root.resolve("addresses.json"));
        deleteTree(root.resolve("network.json"));
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<PodRecord> record(Path folder) {
        try {
            if (Files.exists(folder.resolve(RECORD))) {
                return Optional.of(PodRecordJson.parse(parse(folder.resolve(RECORD))));
            }
            setAside(folder, "there is no record");
        } catch (ParseException | DateTimeException | IllegalArgumentException e) {
            setAside(folder, String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private void setAside(Path folder, String reason) {
        Path kept = root.resolve("set-aside").resolve(folder.getFileName() + "-" + System.currentTimeMillis());
        try {
            Files.createDirectories(kept.getParent());
            Files.move(folder, kept);
        } catch (IOException e) {
            throw new NodeException("cannot set aside " + folder, e);
        }
        LOG.warn("event=pod-set-aside folder={} kept={} reason=\"{}\"", folder, kept, reason);
    }

    private static JsonNode parse(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return Json.parse(in.readAllBytes());
        } catch (IOException e) {
            throw new NodeException("cannot read " + file, e);
        }
    }

    /// By streams and not by channels: an agent that is being stopped must still write down what it just did.
    private static void replace(Path file, ObjectNode json) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (OutputStream out = new FileOutputStream(fresh.toFile())) {
                out.write(Json.bytes(json));
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NodeException("cannot write " + file, e);
        }
    }

    private static void deleteTree(Path top) {
        try (Stream<Path> all = Files.walk(top)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("event=nothing-to-remove path={}", top);
        } catch (IOException e) {
            throw new NodeException("cannot remove " + top, e);
        }
    }
}
