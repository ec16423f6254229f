package io.fairlead.nginx;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/// The folder of one nginx: its configuration, its Lua, passwords, and the state it starts from.
final class Folder {
    private static final List<String> LUA = List.of(
            "answers",
            "asked",
            "authorized",
            "balancer",
            "certificate",
            "certificates",
            "choice",
            "counts",
            "errors",
            "feed",
            "init",
            "json",
            "limits",
            "options",
            "over",
            "ranges",
            "records",
            "route",
            "signin",
            "tell_counts",
            "worker_ends");

    private final Path root;

    Folder(Path root) {
        this.root = root;
    }

    /// Makes all that nginx needs before it starts, and leaves what is there of an earlier run.
    void prepare() {
        try {
            for (String name : List.of("lua", "auth", "temp")) {
                Files.createDirectories(root.resolve(name));
            }
            // Workers run as another user; they find a file of passwords by its name, and cannot list the others.
            mode(root, "rwxr-xr-x");
            mode(root.resolve("auth"), "rwx--x--x");
            for (String name : LUA) {
                write("lua/" + name + ".lua", resource(name + ".lua"));
            }
        } catch (IOException e) {
            throw new NginxException("prepare " + root, e);
        }
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Folder.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program has no " + name);
            }
            return in.readAllBytes();
        }
    }

    Path path(String name) {
        return root.resolve(name);
    }

    /// The content of a file; nothing where it is not there.
    Optional<String> read(String name) {
        try {
            return Optional.of(Files.readString(root.resolve(name)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new NginxException("read " + root.resolve(name), e);
        }
    }

    void remove(String name) {
        try {
            Files.deleteIfExists(root.resolve(name));
        } catch (IOException e) {
            throw new NginxException("remove " + root.resolve(name), e);
        }
    }

    boolean has(String name) {
        return Files.exists(root.resolve(name));
    }

    /// Writes a file that is there as a whole, or not at all.
    void write(String name, byte[] content) {
        Path file = root.resolve(name);
        Path fresh = root.resolve(name + ".new");
        try {
            Files.write(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NginxException("write " + file, e);
        }
    }

    /// Like [#write], for a file that only its owner may read.
    void writeSecret(String name, byte[] content) {
        try {
            Path fresh = root.resolve(name + ".new");
            Files.deleteIfExists(fresh);
            Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(fresh, content);
            Files.move(fresh, root.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NginxException("write " + root.resolve(name), e);
        }
    }
}
