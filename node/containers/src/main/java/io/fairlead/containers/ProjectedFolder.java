package io.fairlead.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/// A folder of files that are all replaced at once: a reader sees the old ones or the new ones, never some of each.
///
/// ```
/// ..data -> ..4f1c        a rename of this link is the change
/// ..4f1c/color            the files themselves
/// color -> ..data/color   what containers open
/// ```
///
/// Containers see it read-only, so that what is written here goes where it says.
record ProjectedFolder(Path folder, long group) {
    private static final String CURRENT = "..data";

    /// What a file holds, and with which mode.
    record Content(byte[] bytes, int mode) {
        boolean isIn(Path file) throws IOException {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Arrays.equals(Files.readAllBytes(file), bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Content(byte[] theirs, int theirMode)
                    && Arrays.equals(bytes, theirs)
                    && mode == theirMode;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes) * 31 + mode;
        }
    }

    /// Makes the folder hold these files, by their paths below it, and no others.
    void write(Map<String, Content> files) {
        Map<String, Content> sorted = new TreeMap<>(files);
        sorted.keySet().forEach(ProjectedFolder::check);
        try {
            Folders.make(folder, "rwxr-xr-x");
            if (!holds(sorted)) {
                replace(sorted);
            }
        } catch (IOException e) {
            throw new NodeException("cannot write " + folder, e);
        }
    }

    private static void check(String path) {
        Path clean = Path.of(path).normalize();
        if (path.isEmpty()
                || clean.isAbsolute()
                || clean.startsWith("..")
                || clean.toString().startsWith("..")) {
            throw new NodeException("path %s leads out of its volume".formatted(path));
        }
    }

    private boolean holds(Map<String, Content> files) throws IOException {
        Path current = folder.resolve(CURRENT);
        if (!Files.exists(current)) {
            return false;
        }
        for (Map.Entry<String, Content> file : files.entrySet()) {
            if (!file.getValue().isIn(current.resolve(file.getKey()))) {
                return false;
            }
        }
        try (Stream<Path> all = Files.walk(current.toRealPath())) {
            return all.filter(Files::isRegularFile).count() == files.size();
        }
    }

    private void replace(Map<String, Content> files) throws IOException {
        Path fresh = folder.resolve(".." + UUID.randomUUID().toString().substring(0, 8));
        Folders.make(fresh, "rwxr-xr-x");
        for (Map.Entry<String, Content> file : files.entrySet()) {
            writeOne(fresh.resolve(file.getKey()), file.getValue());
        }
        Path draft = folder.resolve(CURRENT + "_new");
        Files.deleteIfExists(draft);
        Files.createSymbolicLink(draft, fresh.getFileName());
        Files.move(draft, folder.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        tidy(files.keySet(), fresh.getFileName().toString());
    }

    private void writeOne(Path file, Content content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content.bytes());
        int readable = group < 0 ? content.mode() : content.mode() | 0440;
        if (group >= 0) {
            Files.setAttribute(file, "unix:gid", (int) group);
        }
        Files.setPosixFilePermissions(file, permissions(readable));
    }

    /// The links that containers open, and nothing of what was before.
    private void tidy(Set<String> paths, String current) throws IOException {
        Set<String> names = new TreeSet<>();
        paths.forEach(path -> names.add(Path.of(path).normalize().getName(0).toString()));
        for (String name : names) {
            Path link = folder.resolve(name);
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, Path.of(CURRENT, name));
            }
        }
        names.addAll(List.of(CURRENT, current));
        try (Stream<Path> entries = Files.list(folder)) {
            entries.filter(entry -> !names.contains(entry.getFileName().toString()))
                    .forEach(Folders::delete);
        }
    }

    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values(); // from the owner's reading to the others' executing
        for (int i = 0; i < all.length; i++) {
            if ((mode & 0400 >> i) != 0) {
                permissions.add(all[i]);
            }
        }
        return permissions;
    }
}
