package io.fairlead.kinds;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The rules for Ingress and IngressClass.
public final class IngressValidation {
    private static final List<String> PATH_TYPES = List.of("Exact", "ImplementationSpecific", "Prefix");
    private static final Pattern CONTROLLER = Pattern.compile("[a-z0-9.-]+/[A-Za-z0-9/_.~!$&'()*+,;=:-]+");

    private IngressValidation() {}

    public static List<Problem> check(JsonNode ingress) {
        FieldValidation root = FieldValidation.of(ingress);
        FieldValidation spec = root.object("spec");
        if (!spec.has("defaultBackend") && ingress.path("spec").path("rules").isEmpty()) {
            root.invalid("spec", "", "either `defaultBackend` or `rules` must be specified");
        }
        String className = spec.text("ingressClassName");
        if (!className.isEmpty()) {
            spec.check("ingressClassName", className, NameValidation.subdomain(LetterCase.LOWER, className));
        }
        if (spec.has("defaultBackend")) {
            checkBackend(spec.object("defaultBackend"));
        }
        spec.objects("tls").forEach(tls -> tls.texts("hosts").forEach(host -> checkHost(tls, "hosts", host.text())));
        spec.objects("rules").forEach(IngressValidation::checkRule);
        return root.problems();
    }

    public static List<Problem> checkClass(JsonNode ingressClass) {
        FieldValidation root = FieldValidation.of(ingressClass);
        FieldValidation spec = root.object("spec");
        String controller = spec.text("controller");
        if (controller.isEmpty()) {
            spec.required("controller", "");
        } else if (!CONTROLLER.matcher(controller).matches() || controller.length() > 250) {
            spec.invalid("controller", controller, "must be a domain-prefixed path (such as \"acme.io/foo\")");
        }
        if (spec.has("parameters")) {
            checkParameters(spec.object("parameters"));
        }
        return root.problems();
    }

    private static void checkParameters(FieldValidation parameters) {
        require(parameters, "kind", "name");
        String scope = parameters.choice("scope", List.of("Cluster", "Namespace"));
        if (scope.equals("Namespace")) {
            require(parameters, "namespace");
        } else if (!parameters.text("namespace").isEmpty()) {
            parameters.forbidden("namespace", "must not be set when `scope` is \"Cluster\"");
        }
    }

    private static void require(FieldValidation place, String... fields) {
        Stream.of(fields).filter(field -> place.text(field).isEmpty()).forEach(field -> place.required(field, ""));
    }

    public static List<Problem> checkClassUpdate(JsonNode old, JsonNode ingressClass) {
        String controller = Json.text(ingressClass, "spec", "controller");
        return controller.equals(Json.text(old, "spec", "controller"))
                ? List.of()
                : List.of(Problem.invalid("spec.controller", controller, "field is immutable"));
    }

    private static void checkRule(FieldValidation rule) {
        String host = rule.text("host");
        if (!host.isEmpty()) {
            checkHost(rule, "host", host);
        }
        if (rule.has("http")) {
            List<FieldValidation> paths = rule.object("http").objects("paths");
            if (paths.isEmpty()) {
                rule.object("http").required("paths", "");
            }
            paths.forEach(IngressValidation::checkPath);
        }
    }

    private static void checkHost(FieldValidation place, String field, String host) {
        if (Ip.find(host).isPresent()) {
            place.invalid(field, host, "must be a DNS name, not an IP address");
            return;
        }
        String name = host.startsWith("*.") ? host.substring(2) : host;
        place.check(field, host, NameValidation.subdomain(LetterCase.LOWER, name));
    }

    private static void checkPath(FieldValidation path) {
        String type = path.choice("pathType", PATH_TYPES);
        String text = path.text("path");
        if (type.isEmpty() && !path.has("pathType")) {
            path.required("pathType", "pathType must be specified");
            return; // nothing else is looked at
        }
        boolean literal = type.equals("Exact") || type.equals("Prefix");
        if ((literal || !text.isEmpty()) && !text.startsWith("/")) {
            path.invalid("path", text, "must be an absolute path");
        }
        if (literal) {
            for (String sequence : List.of("//", "/./", "/../", "%2f", "%2F")) {
                if (text.contains(sequence)) {
                    path.invalid("path", text, "must not contain '" + sequence + "'");
                }
            }
            if (text.endsWith("/..") || text.endsWith("/.")) {
                path.invalid("path", text, "cannot end with '/..' or '/.'");
            }
        }
        checkBackend(path.object("backend"));
    }

    private static void checkBackend(FieldValidation backend) {
        if (backend.has("service") && backend.has("resource")) {
            backend.invalid("cannot set both resource and service backends");
        } else if (!backend.has("service") && !backend.has("resource")) {
            backend.invalid("resource or service backend is required");
        } else if (backend.has("service")) {
            checkService(backend, backend.object("service"));
        } else {
            require(backend.object("resource"), "kind", "name");
        }
    }

    private static void checkService(FieldValidation backend, FieldValidation service) {
        String name = service.text("name");
        if (name.isEmpty()) {
            service.required("name", "");
        } else {
            // The name of a Service may have upper-case letters (decision 035).
            service.check("name", name, NameValidation.label(LetterCase.ANY, name));
        }
        FieldValidation port = service.object("port");
        boolean named = !port.text("name").isEmpty();
        int number = port.number("number", 0);
        if (named && number != 0) {
            backend.invalid("cannot set both port name & port number");
        } else if (named) {
            port.check("name", port.text("name"), NameValidation.portName(port.text("name")));
        } else if (number == 0) {
            backend.add(Problem.required(backend.place(), "port name or number is required"));
        } else {
            port.checkPort("number", number);
        }
    }
}
