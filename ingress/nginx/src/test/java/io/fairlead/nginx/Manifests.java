package io.fairlead.nginx;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;

/// Objects for tests, as YAML.
final class Manifests {
    static final String CLASS = """
        apiVersion: networking.k8s.io/v1
        kind: IngressClass
        metadata: {name: fairlead}
        spec: {controller: fairlead.io/ingress}
        """;

    private Manifests() {}

    /// A Service, and endpoints behind it.
    static String service(String name, int port, String... addresses) {
        String list = String.join(
                ", ", Stream.of(addresses).map("{addresses: [%s]}"::formatted).toList());
        return """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: %1$s}
            spec: {clusterIP: 10.96.0.1, ports: [{name: http, port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %1$s-1, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            ports: [{name: http, port: %2$d}]
            endpoints: [%3$s]
            """.formatted(name, port, list);
    }

    static String ingress(String name, String annotations, String host, String tls) {
        return """
            ---
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: %1$s, annotations: {%2$s}}
            spec:
              ingressClassName: fairlead
              tls: [%4$s]
              rules: [{host: "%3$s", http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: hello, port: {number: 80}}}}]}}]
            """.formatted(name, annotations, host, tls);
    }

    static String secret(String name, String pem) {
        String text = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        return """
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: %s}
            type: kubernetes.io/tls
            data: {tls.crt: %s, tls.key: %s, ca.crt: %s, auth: %s}
            """.formatted(name, text, text, text, base64("user:{PLAIN}secret\n"));
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
