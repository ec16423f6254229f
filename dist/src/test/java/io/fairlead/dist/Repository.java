package io.fairlead.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The folders of the project, as the build left them: every room with its sources and its compiled classes.
record Repository(Path root) {

    static Repository here() {
        return new Repository(Path.of(System.getProperty("fairlead.root")));
    }

    /// One room: its folder and its name, which is also its package (`proxy/backends/nftables` is `nftables`).
    record Room(String name, Path folder) {
        List<Path> classes() {
            return files(folder.resolve("target/classes"), ".class").stream()
                    .filter(file -> !file.endsWith("package-info.class"))
                    .toList();
        }

        List<Path> mainSources() {
            return sources("src/main/java");
        }

        List<Path> allSources() {
            return Stream.concat(mainSources().stream(), sources("src/test/java").stream())
                    .toList();
        }

        private List<Path> sources(String under) {
            return files(folder.resolve(under), ".java").stream()
                    .filter(file -> !file.endsWith("package-info.java"))
                    .toList();
        }
    }

    /// Every folder with a `pom.xml`: a part of the system, or a module in one (`proxy/backends` has modules of its
    /// own).
    List<Room> rooms() {
        Stream<Path> parts = folders(root);
        Stream<Path> modules = folders(root).flatMap(Repository::folders);
        Stream<Path> backends = folders(root.resolve("proxy/backends"));
        return Stream.of(parts, modules, backends)
                .flatMap(each -> each)
                .filter(folder -> Files.exists(folder.resolve("pom.xml")))
                .map(folder -> new Room(folder.getFileName().toString(), folder))
                .toList();
    }

    private static Stream<Path> folders(Path parent) {
        if (!Files.isDirectory(parent)) {
            return Stream.empty();
        }
        try (Stream<Path> children = Files.list(parent)) {
            return children.filter(Files::isDirectory).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
