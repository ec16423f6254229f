package io.fairlead.kinds;

import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for one container of a Pod.
final class ContainerValidation {
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> HANDLERS = List.of("exec", "grpc", "httpGet", "tcpSocket");
    private static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");

    private ContainerValidation() {}

    /// `names` are those of the containers before it.
    static void check(FieldValidation container, Set<String> names) {
        checkNameAndImage(container, names);
        container.choice("imagePullPolicy", List.of("Always", "IfNotPresent", "Never"));
        container.choice("restartPolicy", RESTART_POLICIES);
        container.texts("command");
        container.texts("args");
        MountValidation.checkContainer(container);
        container.objects("env").forEach(ContainerValidation::checkVariable);
        Set<String> portNames = new HashSet<>();
        container.objects("ports").forEach(port -> checkPort(port, portNames));
        PROBES.stream().filter(container::has).forEach(probe -> checkProbe(container.object(probe), probe));
    }

    /// What every container has, whenever it runs.
    static void checkNameAndImage(FieldValidation container, Set<String> names) {
        String name = container.text("name");
        if (name.isEmpty()) {
            container.required("name", "");
        } else {
            container.check("name", name, NameValidation.label(LetterCase.LOWER, name));
            if (!names.add(name)) {
                container.duplicate("name", name);
            }
        }
        if (container.text("image").isEmpty()) {
            container.required("image", "");
        }
    }

    /// One that runs before the others: it is asked nothing, unless it goes on beside them.
    static void checkInit(FieldValidation container, Set<String> names) {
        check(container, names);
        if (!container.text("restartPolicy").equals("Always")) {
            PROBES.forEach(probe -> container.forbidIfPresent(
                    probe, "may not be set for init containers without restartPolicy=Always"));
        }
    }

    private static void checkVariable(FieldValidation variable) {
        if (variable.text("name").isEmpty()) {
            variable.required("name", "");
        }
        boolean both = !variable.text("value").isEmpty() && variable.has("valueFrom");
        if (both) {
            variable.invalid("valueFrom", "", "may not be specified when `value` is not empty");
        }
    }

    private static void checkPort(FieldValidation port, Set<String> names) {
        if (port.number("containerPort", 0) == 0) {
            port.required("containerPort", "");
        } else {
            port.checkPort("containerPort", port.number("containerPort", 1));
        }
        if (port.number("hostPort", 0) != 0) {
            port.checkPort("hostPort", port.number("hostPort", 0));
        }
        port.choice("protocol", List.of("SCTP", "TCP", "UDP"));
        String name = port.text("name");
        if (name.isEmpty()) {
            return;
        }
        port.check("name", name, NameValidation.portName(name));
        if (!names.add(name)) {
            port.duplicate("name", name);
        }
    }

    private static void checkProbe(FieldValidation probe, String field) {
        List<String> handlers = HANDLERS.stream().filter(probe::has).toList();
        if (handlers.isEmpty()) {
            probe.add(Problem.required(probe.place(), "must specify a handler type"));
        }
        handlers.stream()
                .skip(1)
                .forEach(handler -> probe.forbidden(handler, "may not specify more than 1 handler type"));
        for (String number : List.of(
                "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")) {
            probe.checkNotNegative(number);
        }
        int successes = probe.number("successThreshold", 1);
        if (!field.equals("readinessProbe") && successes > 1) {
            probe.invalid("successThreshold", successes, "must be 1");
        }
        handlers.forEach(handler -> checkHandler(probe.object(handler), handler));
    }

    private static void checkHandler(FieldValidation handler, String type) {
        if (type.equals("exec")) {
            if (handler.texts("command").isEmpty()) {
                handler.required("command", "");
            }
            return;
        }
        JsonNode port = handler.either("port");
        if (port.isString()) {
            handler.check("port", port.stringValue(), NameValidation.portName(port.stringValue()));
        } else {
            handler.checkPort("port", port.asInt(0));
        }
        if (type.equals("httpGet")) {
            handler.choice("scheme", List.of("HTTP", "HTTPS"));
            handler.objects("httpHeaders").stream()
                    .filter(header -> header.text("name").isEmpty())
                    .forEach(header -> header.required("name", ""));
        }
    }
}
