package io.fairlead.commands;

import io.fairlead.containers.ImageStore;
import io.fairlead.containers.NodeException;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `fairlead images`: what the nodes of this machine have of images, and images from files.
@Command(
        name = "images",
        description = "Show the images that the nodes in DIR have, or give them one from a file.",
        footer = {
            "",
            "Example:",
            "  fairlead images",
            "  fairlead images load shop.tar",
            "  fairlead images load shop.tar example.org/shop:1.2"
        })
final class ImagesCommand implements Runnable {
    private final Main main;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ImagesCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        Console console = Console.of(spec);
        for (Path folder : folders(main.cluster().dir())) {
            new ImageStore(folder, List.of())
                    .list()
                    .forEach((name, digest) -> console.println("%s  %s  %s".formatted(node(folder), name, digest)));
        }
    }

    @Command(name = "load", description = "Take an image from a file: an OCI archive, or what \"docker save\" writes.")
    void load(
            @Parameters(paramLabel = "FILE", description = "The archive.") Path file,
            @Parameters(
                            paramLabel = "IMAGE",
                            arity = "0..1",
                            description = "The name by which pods ask for it. Default: the names in the archive.")
                    @Nullable
                    String name)
            throws InterruptedException {
        Console console = Console.of(spec);
        for (Path folder : folders(main.cluster().dir())) {
            try {
                new ImageStore(folder, List.of())
                        .load(file, name == null ? "" : name)
                        .forEach(full -> console.println("%s  %s loaded".formatted(node(folder), full)));
            } catch (NodeException e) {
                throw new CommandException("error: " + e.getMessage(), e);
            }
        }
    }

    /// One for each node whose state is here: in `dir` itself, or where `up` keeps its nodes.
    private static List<Path> folders(Path dir) {
        Path nodes = dir.resolve("nodes");
        if (!Files.isDirectory(nodes)) {
            return List.of(dir.resolve("images"));
        }
        try (Stream<Path> all = Files.list(nodes)) {
            return all.sorted().map(node -> node.resolve("images")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + nodes, e);
        }
    }

    private static String node(Path images) {
        return images.getName(images.getNameCount() - 2).toString();
    }
}
