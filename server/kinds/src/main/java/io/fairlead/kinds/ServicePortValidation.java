package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import io.fairlead.api.Service;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules for `spec.ports` of a Service.
final class ServicePortValidation {
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    private final FieldValidation spec;
    private final LetterCase letterCase;
    private final Set<String> names = new HashSet<>();
    private final Set<String> ports = new HashSet<>();
    private final Set<String> nodePorts = new HashSet<>();

    ServicePortValidation(FieldValidation spec, LetterCase letterCase) {
        this.spec = spec;
        this.letterCase = letterCase;
    }

    void check(Service.Type type, boolean headless) {
        List<FieldValidation> items = spec.objects("ports");
        boolean needsPort = !headless && type != Service.Type.EXTERNAL_NAME;
        if (items.isEmpty() && needsPort) {
            spec.required("ports", "");
        }
        items.forEach(port -> checkPort(port, items.size() > 1, type));
    }

    private void checkPort(FieldValidation port, boolean nameRequired, Service.Type type) {
        checkName(port, nameRequired);
        String protocol = port.choice("protocol", PROTOCOLS);
        int number = port.number("port", 0);
        if (port.has("port")) {
            port.checkPort("port", number);
        } else {
            port.invalid("port", 0, "must be between 1 and 65535, inclusive");
        }
        if (number != 0 && !ports.add(protocol + "/" + number)) {
            port.add(Problem.duplicate(
                    port.place(), Json.object().put("protocol", protocol).put("port", number)));
        }
        checkTargetPort(port);
        checkNodePort(port, protocol, type);
        String appProtocol = port.text("appProtocol");
        if (!appProtocol.isEmpty()) {
            port.check("appProtocol", appProtocol, NameValidation.qualifiedName(appProtocol));
        }
    }

    private void checkName(FieldValidation port, boolean required) {
        String name = port.text("name");
        if (name.isEmpty()) {
            if (required) {
                port.required("name", "");
            }
            return;
        }
        port.check("name", name, NameValidation.label(letterCase, name));
        // DNS does not tell names apart by case, so two ports may not either.
        if (!names.add(name.toLowerCase(Locale.ROOT))) {
            port.duplicate("name", name);
        }
    }

    private static void checkTargetPort(FieldValidation port) {
        JsonNode target = port.either("targetPort");
        if (target.isNumber()) {
            port.checkPort("targetPort", target.intValue());
        } else if (target.isString() && !target.stringValue().isEmpty()) {
            port.check("targetPort", target.stringValue(), NameValidation.portName(target.stringValue()));
        }
    }

    private void checkNodePort(FieldValidation port, String protocol, Service.Type type) {
        int nodePort = port.number("nodePort", 0);
        if (nodePort == 0) {
            return;
        }
        if (type != Service.Type.NODE_PORT && type != Service.Type.LOAD_BALANCER) {
            port.forbidden("nodePort", "may not be used when `type` is '" + type + "'");
        } else if (nodePort < 0 || nodePort > 65535) {
            port.checkPort("nodePort", nodePort);
        } else if (!nodePorts.add(protocol + "/" + nodePort)) {
            port.duplicate("nodePort", nodePort);
        }
    }
}
