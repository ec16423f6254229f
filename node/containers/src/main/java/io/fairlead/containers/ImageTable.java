package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which folder or program of this machine stands for an image, before any registry is asked.
///
/// ```yaml
/// images:
/// - pattern: "registry.example/team/*"
///   root: /srv/images/team          # a folder with the whole root; without it, the files of this machine
///   command: [/app/server]
///   args: ["$(PORTS)"]              # 8080/TCP …: the container's ports, or else `ports`
///   ports: [8080/TCP]
///   env: {MODE: production}
/// ```
///
/// The first row that matches counts: those of the node's own files, then the built-in ones. A file is read anew each
/// time, so that a new row needs no restart.
public record ImageTable(List<Path> files, List<Image> builtIn) {
    private static final String BUILT_IN = "images.yaml";

    public ImageTable {
        files = List.copyOf(files);
        builtIn = List.copyOf(builtIn);
    }

    /// Which rows of the built-in table count.
    public enum Samples {
        NONE,
        /// Those whose images are named `fairlead/…`: every other name means what its registry has.
        OURS,
        ALL
    }

    public static ImageTable of(List<Path> files, Samples samples) {
        List<Image> builtIn = switch (samples) {
            case NONE -> List.of();
            case OURS ->
                parse(resource(), BUILT_IN).stream()
                        .filter(row -> row.pattern().startsWith("fairlead/"))
                        .toList();
            case ALL -> parse(resource(), BUILT_IN);
        };
        return new ImageTable(files, builtIn);
    }

    public Optional<Image> find(String image) {
        return rows().filter(row -> row.matches(image)).findFirst();
    }

    private Stream<Image> rows() {
        return Stream.concat(files.stream().flatMap(file -> read(file).stream()), builtIn.stream());
    }

    private static List<Image> read(Path file) {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new NodeException("cannot read the image table " + file, e);
        }
    }

    static List<Image> parse(String text, String name) {
        try {
            return Yaml.parseAll(text).stream()
                    .flatMap(table -> Json.list(table, Image::of, "images").stream())
                    .toList();
        } catch (ParseException e) {
            throw new NodeException("image table %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    private static String resource() {
        try (InputStream in = ImageTable.class.getResourceAsStream(BUILT_IN)) {
            if (in == null) {
                throw new IllegalStateException(BUILT_IN + " is missing beside this class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new NodeException("cannot read " + BUILT_IN, e);
        }
    }
}
