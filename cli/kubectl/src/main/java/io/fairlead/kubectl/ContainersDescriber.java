package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// The containers of a pod, or of the template of one, which has no states: pure.
///
/// @param indent what stands before each line
record ContainersDescriber(Description to, String indent) {

    void describe(String title, JsonNode containers, JsonNode statuses) {
        if (containers.isEmpty()) {
            to.line("%s%s: <none>".formatted(indent, title));
            return;
        }
        to.line("%s%s:".formatted(indent, title));
        for (JsonNode container : containers) {
            String name = Json.text(container, "name");
            JsonNode status = statuses.valueStream()
                    .filter(one -> Json.text(one, "name").equals(name))
                    .findFirst()
                    .orElse(MissingNode.getInstance());
            to.line("%s%s:".formatted(indent.isEmpty() ? "  " : indent + " ", name));
            new ContainersDescriber(to, "    ").container(container, status);
        }
    }

    private void container(JsonNode container, JsonNode status) {
        if (status.isObject()) {
            to.line("%sContainer ID:\t%s".formatted(indent, Json.text(status, "containerID")));
        }
        to.line("%sImage:\t%s".formatted(indent, Json.text(container, "image")));
        if (status.isObject()) {
            to.line("%sImage ID:\t%s".formatted(indent, Json.text(status, "imageID")));
        }
        ports("Port", container, "containerPort");
        ports("Host Port", container, "hostPort");
        words("Command", container.path("command"));
        words("Args", container.path("args"));
        if (status.isObject()) {
            state("State", status.path("state"));
            if (status.path("lastState").has("terminated")) {
                state("Last State", status.path("lastState"));
            }
            to.line("%sReady:\t%s".formatted(indent, Json.flag(status, false, "ready") ? "True" : "False"));
            to.line("%sRestart Count:\t%d".formatted(indent, Json.number(status, 0, "restartCount")));
        }
        amounts("Limits", container.path("resources").path("limits"));
        amounts("Requests", container.path("resources").path("requests"));
        probe("Liveness", container.path("livenessProbe"));
        probe("Readiness", container.path("readinessProbe"));
        probe("Startup", container.path("startupProbe"));
        environment(container);
        mounts(container);
    }

    private void ports(String title, JsonNode container, String field) {
        List<String> ports =
                Json.list(container, port -> Json.number(port, 0, field) + "/" + Json.text(port, "protocol"), "ports");
        String text = ports.isEmpty() ? Description.NONE : String.join(", ", ports);
        to.line("%s%s:\t%s".formatted(indent, title + (ports.size() > 1 ? "s" : ""), text));
    }

    private void words(String title, JsonNode words) {
        if (!words.isEmpty()) {
            to.line("%s%s:".formatted(indent, title));
            words.forEach(word -> word.asString().lines().forEach(line -> to.line("%s  %s".formatted(indent, line))));
        }
    }

    private void state(String title, JsonNode state) {
        String inner = indent + "  ";
        if (state.has("running")) {
            to.line("%s%s:\tRunning".formatted(indent, title));
            to.line("%sStarted:\t%s".formatted(inner, Description.date(Json.text(state, "running", "startedAt"))));
        } else if (state.has("terminated")) {
            JsonNode end = state.path("terminated");
            to.line("%s%s:\tTerminated".formatted(indent, title));
            to.lineIf(inner + "Reason", Json.text(end, "reason"));
            to.lineIf(inner + "Message", Json.text(end, "message"));
            to.line("%sExit Code:\t%d".formatted(inner, Json.number(end, 0, "exitCode")));
            to.lineIf(inner + "Signal", end.path("signal").asString(""));
            to.line("%sStarted:\t%s".formatted(inner, Description.date(Json.text(end, "startedAt"))));
            to.line("%sFinished:\t%s".formatted(inner, Description.date(Json.text(end, "finishedAt"))));
        } else {
            to.line("%s%s:\tWaiting".formatted(indent, title));
            to.lineIf(inner + "Reason", Json.text(state, "waiting", "reason"));
        }
    }

    private void amounts(String title, JsonNode amounts) {
        if (!amounts.isEmpty()) {
            to.line("%s%s:".formatted(indent, title));
            TreeMap<String, String> sorted = new TreeMap<>();
            amounts.propertyStream()
                    .forEach(one -> sorted.put(one.getKey(), one.getValue().asString()));
            sorted.forEach((name, amount) -> to.line("%s  %s:\t%s".formatted(indent, name, amount)));
        }
    }

    private void probe(String title, JsonNode probe) {
        if (probe.isObject()) {
            to.line("%s%s:\t%s delay=%ds timeout=%ds period=%ds #success=%d #failure=%d"
                    .formatted(
                            indent,
                            title,
                            way(probe),
                            Json.number(probe, 0, "initialDelaySeconds"),
                            Json.number(probe, 0, "timeoutSeconds"),
                            Json.number(probe, 0, "periodSeconds"),
                            Json.number(probe, 0, "successThreshold"),
                            Json.number(probe, 0, "failureThreshold")));
        }
    }

    private static String way(JsonNode probe) {
        if (probe.has("exec")) {
            return "exec [%s]".formatted(String.join(" ", Json.texts(probe, "exec", "command")));
        }
        if (probe.has("httpGet")) {
            JsonNode get = probe.path("httpGet");
            String scheme = Json.text(get, "scheme").toLowerCase(java.util.Locale.ROOT);
            String port = get.path("port").asString();
            return "http-get %s://%s:%s%s".formatted(scheme, Json.text(get, "host"), port, Json.text(get, "path"));
        }
        if (probe.has("tcpSocket")) {
            JsonNode socket = probe.path("tcpSocket");
            return "tcp-socket %s:%s"
                    .formatted(Json.text(socket, "host"), socket.path("port").asString());
        }
        JsonNode grpc = probe.path("grpc");
        return "grpc <pod>:%s %s".formatted(grpc.path("port").asString(), Json.text(grpc, "service"));
    }

    private void environment(JsonNode container) {
        if (!container.path("envFrom").isEmpty()) {
            to.line("%sEnvironment Variables from:".formatted(indent));
            container.path("envFrom").forEach(this::source);
        }
        if (container.path("env").isEmpty()) {
            to.line("%sEnvironment:\t%s".formatted(indent, Description.NONE));
            return;
        }
        to.line("%sEnvironment:".formatted(indent));
        container
                .path("env")
                .forEach(variable ->
                        to.line("%s  %s:\t%s".formatted(indent, Json.text(variable, "name"), value(variable))));
    }

    private void source(JsonNode source) {
        String prefix = Json.text(source, "prefix");
        String with = prefix.isEmpty() ? "" : " with prefix '%s'".formatted(prefix);
        boolean secret = source.has("secretRef");
        JsonNode reference = source.path(secret ? "secretRef" : "configMapRef");
        to.line("%s  %s\t%s%s\tOptional: %s"
                .formatted(
                        indent,
                        Json.text(reference, "name"),
                        secret ? "Secret" : "ConfigMap",
                        with,
                        Json.flag(reference, false, "optional")));
    }

    private static String value(JsonNode variable) {
        JsonNode from = variable.path("valueFrom");
        if (from.has("fieldRef")) {
            JsonNode field = from.path("fieldRef");
            return " (%s:%s)".formatted(Json.text(field, "apiVersion"), Json.text(field, "fieldPath"));
        }
        if (from.has("secretKeyRef")) {
            JsonNode key = from.path("secretKeyRef");
            return "<set to the key '%s' in secret '%s'>\tOptional: %s"
                    .formatted(Json.text(key, "key"), Json.text(key, "name"), Json.flag(key, false, "optional"));
        }
        if (from.has("configMapKeyRef")) {
            JsonNode key = from.path("configMapKeyRef");
            return "<set to the key '%s' of config map '%s'>\tOptional: %s"
                    .formatted(Json.text(key, "key"), Json.text(key, "name"), Json.flag(key, false, "optional"));
        }
        return Json.text(variable, "value");
    }

    private void mounts(JsonNode container) {
        if (container.path("volumeMounts").isEmpty()) {
            to.line("%sMounts:\t%s".formatted(indent, Description.NONE));
            return;
        }
        to.line("%sMounts:".formatted(indent));
        container
                .path("volumeMounts")
                .valueStream()
                .sorted(Comparator.comparing(mount -> Json.text(mount, "mountPath")))
                .forEach(mount -> to.line("%s  %s from %s (%s)"
                        .formatted(indent, Json.text(mount, "mountPath"), Json.text(mount, "name"), flags(mount))));
    }

    private static String flags(JsonNode mount) {
        String part = Json.text(mount, "subPath");
        return java.util.stream.Stream.of(
                        Json.flag(mount, false, "readOnly") ? "ro" : "rw",
                        part.isEmpty() ? "" : "path=\"" + part + "\"")
                .filter(flag -> !flag.isEmpty())
                .collect(Collectors.joining(","));
    }
}
