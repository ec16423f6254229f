package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Protocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// One row of an image table: which program stands for the images of a pattern.
///
/// `root` is empty where the program is one of this machine. `$(PORTS)` among the arguments stands for the container's
/// ports, or for `ports` where it names none.
public record Image(
        String pattern,
        List<String> command,
        List<String> args,
        List<String> ports,
        String root,
        Map<String, String> env) {
    private static final String PORTS = "$(PORTS)";

    static Image of(JsonNode json) {
        return new Image(
                Json.text(json, "pattern"),
                Json.texts(json, "command"),
                Json.texts(json, "args"),
                Json.texts(json, "ports"),
                Json.text(json, "root"),
                Json.map(json, "env"));
    }

    /// A `*` of the pattern stands for anything; tags and digests, and the home of the common images, do not count.
    boolean matches(String image) {
        String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q");
        return repository(image).matches(regex);
    }

    Optional<Path> rootFolder() {
        return root.isEmpty() ? Optional.empty() : Optional.of(Path.of(root));
    }

    /// What the row says, for the ports of one container.
    ImageConfig config(Pod.Container container) {
        List<String> words = new ArrayList<>();
        args.forEach(arg -> words.addAll(arg.equals(PORTS) ? portsOf(container) : List.of(arg)));
        return new ImageConfig(command, words, env, "", "", "");
    }

    /// `host:5000/team/app:1.2@sha256:…` → `host:5000/team/app`; `docker.io/library/nginx` → `nginx`
    static String repository(String image) {
        String untagged = image.contains("@") ? image.substring(0, image.indexOf('@')) : image;
        int colon = untagged.lastIndexOf(':');
        String full = colon > untagged.lastIndexOf('/') ? untagged.substring(0, colon) : untagged;
        return full.replaceFirst("^(docker\\.io/)?(library/)?", "");
    }

    /// `8080/TCP 53/UDP`
    private List<String> portsOf(Pod.Container container) {
        List<String> own = container.ports().stream()
                .filter(port -> port.protocol() != Protocol.SCTP) // perl has no SCTP
                .map(port -> port.port() + "/" + port.protocol())
                .toList();
        return own.isEmpty() ? ports : own;
    }
}
