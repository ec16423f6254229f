package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Rules by which requests from outside find their Service.
///
/// `className` is empty where the spec names no class. `addresses` is what the status says.
public record Ingress(
        ObjectMeta metadata,
        String className,
        IngressBackend defaultBackend,
        List<Rule> rules,
        List<Tls> tls,
        List<String> addresses)
        implements KubernetesObject {

    /// The annotation that named the class before the spec did.
    public static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";

    /// The paths of one host; of every host where it is empty, and `paths` may be empty too.
    public record Rule(String host, List<Path> paths) {
        static Rule of(JsonNode json) {
            return new Rule(Json.text(json, "host"), Json.list(json, Path::of, "http", "paths"));
        }
    }

    /// How a path is compared.
    public enum PathType {
        EXACT,
        PREFIX,
        IMPLEMENTATION_SPECIFIC;

        static PathType of(String text) {
            return switch (text) {
                case "Exact" -> EXACT;
                case "Prefix" -> PREFIX;
                default -> IMPLEMENTATION_SPECIFIC;
            };
        }
    }

    /// One path and where it leads.
    public record Path(String path, PathType type, IngressBackend backend) {
        static Path of(JsonNode json) {
            return new Path(
                    Json.text(json, "path"),
                    PathType.of(Json.text(json, "pathType")),
                    IngressBackend.of(json.path("backend")));
        }
    }

    /// The hosts that a Secret has a certificate for; the name of the Secret may be empty.
    public record Tls(List<String> hosts, String secretName) {
        static Tls of(JsonNode json) {
            return new Tls(Json.texts(json, "hosts"), Json.text(json, "secretName"));
        }
    }

    public static Ingress of(JsonNode json) {
        JsonNode spec = json.path("spec");
        return new Ingress(
                ObjectMeta.of(json),
                Json.text(spec, "ingressClassName"),
                IngressBackend.of(spec.path("defaultBackend")),
                Json.list(spec, Rule::of, "rules"),
                Json.list(spec, Tls::of, "tls"),
                Json.list(
                        json,
                        item -> Json.text(item, "ip") + Json.text(item, "hostname"),
                        "status",
                        "loadBalancer",
                        "ingress"));
    }

    @Override
    public Kind kind() {
        return Kind.INGRESS;
    }
}
