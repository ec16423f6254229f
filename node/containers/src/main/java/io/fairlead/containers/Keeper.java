package io.fairlead.containers;

import io.fairlead.kernel.Cgroups;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/// The command lines of `keeper.pl`: it holds the streams of a program, and knows how the program ended.
public record Keeper(Path program) {
    private static final String NAME = "keeper.pl";

    /// Puts the program into a folder.
    public static Keeper install(Path folder) {
        Path file = folder.resolve(NAME);
        try (InputStream program = Keeper.class.getResourceAsStream(NAME)) {
            if (program == null) {
                throw new IllegalStateException(NAME + " is missing beside this class");
            }
            Files.createDirectories(folder);
            Path draft = Files.createTempFile(folder, NAME, "");
            Files.copy(program, draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new Keeper(file);
        } catch (IOException e) {
            throw new NodeException("cannot write " + file, e);
        }
    }

    /// Runs a command that talks frames over its own standard streams.
    public List<String> attached(boolean tty, List<String> command) {
        return words(tty ? List.of("--tty") : List.of(), command);
    }

    /// Runs a command whose streams clients can attach to at `socket`.
    public List<String> listening(boolean tty, boolean once, Path socket, List<String> command) {
        List<String> options = new ArrayList<>(List.of("--socket", socket.toString()));
        if (tty) {
            options.add("--tty");
        }
        if (once) {
            options.add("--once");
        }
        return words(options, command);
    }

    /// Has a command join its pod's control group before it runs, where the runtime alone might leave it outside.
    static void join(String container, List<String> options) {
        String pod = container.substring(0, container.lastIndexOf('/'));
        Cgroups.besides(pod).ifPresent(file -> options.addAll(List.of("--group", file.toString())));
    }

    List<String> words(List<String> options, List<String> command) {
        List<String> words = new ArrayList<>(List.of("/usr/bin/perl", program.toString()));
        words.addAll(options);
        words.add("--");
        words.addAll(command);
        return List.copyOf(words);
    }
}
