package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// One `[LOCAL:]REMOTE`: where to listen, 0 for any free port, and the port of the pod.
record ForwardedPort(int local, int remote) {

    /// `object` is what the user named, whose ports are meant; `pod` is the one that was chosen for it.
    static ForwardedPort of(String typed, JsonNode object, JsonNode pod) {
        String[] parts = typed.split(":", -1);
        if (parts.length > 2 || parts[parts.length - 1].isEmpty()) {
            throw new CommandException("error: invalid port format '%s'".formatted(typed));
        }
        String remote = parts[parts.length - 1];
        int target = Json.text(object, "kind").equals("Service") ? ofService(remote, object, pod) : ofPod(remote, pod);
        int local = switch (parts.length) {
            case 1 -> remote.matches("[0-9]+") ? number(remote) : target;
            default -> parts[0].isEmpty() ? 0 : number(parts[0]);
        };
        return new ForwardedPort(local, target);
    }

    private static int ofService(String asked, JsonNode service, JsonNode pod) {
        JsonNode port = Json.at(service, "spec", "ports")
                .valueStream()
                .filter(one -> Json.text(one, "name").equals(asked)
                        || one.path("port").asString("").equals(asked))
                .findFirst()
                .orElseThrow(() -> new CommandException("error: Service %s does not have a service port %s"
                        .formatted(Json.text(service, "metadata", "name"), asked)));
        JsonNode target = port.path("targetPort");
        boolean headless = Json.text(service, "spec", "clusterIP").equals("None");
        if (headless || target.isMissingNode()) {
            return port.path("port").asInt(0);
        }
        return target.isNumber() ? target.asInt() : ofPod(target.asString(), pod);
    }

    private static int ofPod(String asked, JsonNode pod) {
        if (asked.matches("[0-9]+")) {
            return number(asked);
        }
        Optional<Integer> named = Stream.of("containers", "initContainers")
                .flatMap(field -> Json.at(pod, "spec", field).valueStream())
                .flatMap(container -> container.path("ports").valueStream())
                .filter(port -> Json.text(port, "name").equals(asked))
                .map(port -> port.path("containerPort").asInt(0))
                .findFirst();
        return named.orElseThrow(() -> new CommandException("error: Pod '%s' does not have a named port '%s'"
                .formatted(Json.text(pod, "metadata", "name"), asked)));
    }

    private static int number(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65535) {
            throw new CommandException("error: \"%s\" is no port: a number from 1 to 65535".formatted(text));
        }
        return port;
    }
}
