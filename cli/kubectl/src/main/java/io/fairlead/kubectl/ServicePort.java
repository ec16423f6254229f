package io.fairlead.kubectl;

import io.fairlead.api.Json;
import tools.jackson.databind.node.ObjectNode;

/// A port of a Service as it is typed: `80`, `80:8080` or `80:http`.
///
/// @param target a number or a name
/// @param nodePort 0 where the server is to choose
record ServicePort(String name, int port, String target, int nodePort) {
    private static final int HIGHEST = 65_535;

    /// Of `--tcp`.
    static ServicePort parse(String text, int nodePort) {
        String[] parts = text.split(":", -1);
        if (parts.length > 2 || parts[parts.length - 1].isEmpty()) {
            throw new CommandException("error: --tcp: \"%s\" is not PORT or PORT:TARGET".formatted(text));
        }
        int port = number("--tcp", parts[0]);
        return new ServicePort(text.replace(':', '-'), port, parts[parts.length - 1], nodePort);
    }

    static int number(String option, String text) {
        if (text.matches("\\d{1,5}")) {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= HIGHEST) {
                return number;
            }
        }
        throw new CommandException("error: %s: \"%s\" is no port between 1 and %d".formatted(option, text, HIGHEST));
    }

    ObjectNode json() {
        ObjectNode json = Json.object().put("name", name).put("port", port).put("protocol", "TCP");
        putTarget(json, target);
        if (nodePort > 0) {
            json.put("nodePort", nodePort);
        }
        return json;
    }

    static void putTarget(ObjectNode port, String target) {
        if (target.matches("\\d{1,5}")) {
            port.put("targetPort", Integer.parseInt(target));
        } else {
            port.put("targetPort", target);
        }
    }
}
