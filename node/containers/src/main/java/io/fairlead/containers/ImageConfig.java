package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What an image says of the program in it.
public record ImageConfig(
        List<String> entrypoint,
        List<String> command,
        Map<String, String> environment,
        String user,
        String directory,
        String stopSignal) {
    public ImageConfig {
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
    }

    /// The `config` of an image's configuration, as the OCI has it.
    static ImageConfig of(JsonNode json) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : Json.texts(json, "Env")) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return new ImageConfig(
                Json.texts(json, "Entrypoint"),
                Json.texts(json, "Cmd"),
                environment,
                Json.text(json, "User"),
                Json.text(json, "WorkingDir"),
                Json.text(json, "StopSignal"));
    }

    /// A container's `command` takes the place of the entrypoint and of its command, `args` of the command alone.
    List<String> commandLine(Pod.Container container) {
        List<String> line = new ArrayList<>(container.command().isEmpty() ? entrypoint : container.command());
        boolean own = container.command().isEmpty() && container.args().isEmpty();
        line.addAll(own ? command : container.args());
        return List.copyOf(line);
    }

    /// By its name without SIG.
    public String signal() {
        return stopSignal.isEmpty() ? "TERM" : stopSignal.replaceFirst("^SIG", "");
    }
}
