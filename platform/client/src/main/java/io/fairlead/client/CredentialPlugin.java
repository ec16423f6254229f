package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The program that a kubeconfig names to say who we are, as `exec` of a user.
///
/// @param cluster what it is given to know of the cluster, as JSON; empty where it did not ask
/// @param hint what a person does who has no such program
public record CredentialPlugin(
        String apiVersion,
        String command,
        List<String> arguments,
        Map<String, String> environment,
        String cluster,
        String hint) {
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");

    public CredentialPlugin {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /// What the field says; a command with a slash in it is looked for beside `file`.
    static CredentialPlugin of(JsonNode exec, Path file, ObjectNode cluster) {
        String version = Json.text(exec, "apiVersion");
        if (!VERSIONS.contains(version)) {
            throw new ParseException(
                    "user.exec.apiVersion: \"%s\" must be %sv1 or %sv1beta1".formatted(version, GROUP, GROUP));
        }
        String command = Json.text(exec, "command");
        if (command.isEmpty()) {
            throw new ParseException("user.exec.command: Required value");
        }
        if (Json.text(exec, "interactiveMode").equals("Always")) {
            throw new ParseException("user.exec.interactiveMode: Always is not supported, there is no terminal");
        }
        boolean asked = Json.flag(exec, false, "provideClusterInfo");
        return new CredentialPlugin(
                version,
                command.contains("/")
                        ? file.toAbsolutePath().resolveSibling(command).toString()
                        : command,
                Json.texts(exec, "args"),
                environment(exec),
                asked ? cluster.toString() : "",
                Json.text(exec, "installHint"));
    }

    private static Map<String, String> environment(JsonNode exec) {
        Map<String, String> environment = new LinkedHashMap<>();
        exec.path("env").valueStream().forEach(item -> {
            String name = Json.text(item, "name");
            if (name.isEmpty()) {
                throw new ParseException("user.exec.env: name: Required value");
            }
            environment.put(name, Json.text(item, "value"));
        });
        return environment;
    }

    /// What the program reads in `KUBERNETES_EXEC_INFO`.
    String question() {
        ObjectNode question = Json.object().put("apiVersion", apiVersion).put("kind", "ExecCredential");
        ObjectNode spec = question.putObject("spec").put("interactive", false);
        if (!cluster.isEmpty()) {
            spec.set("cluster", Json.parse(cluster));
        }
        return question.toString();
    }

    /// The field that says the same.
    ObjectNode field() {
        ObjectNode exec = Json.object().put("apiVersion", apiVersion).put("command", command);
        arguments.forEach(exec.putArray("args")::add);
        environment.forEach((name, value) ->
                exec.withArray("env").addObject().put("name", name).put("value", value));
        if (!hint.isEmpty()) {
            exec.put("installHint", hint);
        }
        return exec.put("interactiveMode", "Never").put("provideClusterInfo", !cluster.isEmpty());
    }
}
