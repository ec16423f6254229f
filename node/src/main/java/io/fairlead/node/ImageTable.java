package io.fairlead.node;

import io.fairlead.api.Pod;
import io.fairlead.api.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Which program stands for an image: there is no registry here, so a node runs only images it knows.
final class ImageTable {
    private static final String ECHO = "echo.pl";

    /// An image's own command line, and what it passes to it unless the container says otherwise.
    record Program(List<String> entrypoint, Function<Pod.Container, List<String>> arguments) {
        /// `command` takes the place of the image's entry point and of its arguments, `args` of the arguments alone.
        List<String> commandLine(Pod.Container container) {
            List<String> line = new ArrayList<>(container.command().isEmpty() ? entrypoint : container.command());
            boolean own = container.command().isEmpty() && container.args().isEmpty();
            line.addAll(own ? arguments.apply(container) : container.args());
            return List.copyOf(line);
        }
    }

    private final Map<String, Program> programs;

    ImageTable(Map<String, Program> programs) {
        this.programs = new TreeMap<>(programs);
    }

    /// The images that every node has; their programs are put into `folder`.
    static ImageTable builtIn(Path folder) {
        return new ImageTable(Map.of(
                "fairlead/echo", new Program(List.of("perl", unpack(folder).toString()), ImageTable::echoPorts),
                "fairlead/pause", new Program(List.of("sleep"), _ -> List.of("infinity"))));
    }

    /// The program of an image, whatever its tag and digest.
    Optional<Program> find(String image) {
        return Optional.ofNullable(programs.get(repository(image)));
    }

    /// Why an image that was not found does not run.
    String refusal(String image) {
        return "image \"%s\" is not in the image table of this node, which has %s"
                .formatted(image, String.join(", ", programs.keySet()));
    }

    /// `host:5000/team/app:1.2@sha256:…` → `host:5000/team/app`
    static String repository(String image) {
        String untagged = image.contains("@") ? image.substring(0, image.indexOf('@')) : image;
        int colon = untagged.lastIndexOf(':');
        return colon > untagged.lastIndexOf('/') ? untagged.substring(0, colon) : untagged;
    }

    /// The echo program listens where the container says it does: `8080/TCP 53/UDP`.
    private static List<String> echoPorts(Pod.Container container) {
        return container.ports().stream()
                .filter(port -> port.protocol() != Protocol.SCTP) // perl has no SCTP
                .map(port -> port.port() + "/" + port.protocol())
                .toList();
    }

    private static Path unpack(Path folder) {
        Path file = folder.resolve(ECHO);
        Path fresh = folder.resolve(ECHO + ".new");
        try (InputStream program = ImageTable.class.getResourceAsStream(ECHO)) {
            if (program == null) {
                throw new IllegalStateException(ECHO + " is missing beside this class");
            }
            Files.createDirectories(folder);
            Files.copy(program, fresh, StandardCopyOption.REPLACE_EXISTING);
            return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NodeException("cannot write " + file, e);
        }
    }
}
