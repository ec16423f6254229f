package io.fairlead.routes;

import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/// Objects for tests, and a cluster that changes at random.
final class TestIngresses {
    static final KubernetesObject CLASS = object("""
        apiVersion: networking.k8s.io/v1
        kind: IngressClass
        metadata: {name: fairlead}
        spec: {controller: fairlead.io/ingress}
        """);

    private static final List<String> PATHS = List.of("/", "/a", "/a/", "/a/b", "/b");
    private static final List<String> ANNOTATIONS = List.of(
            "",
            "",
            "fairlead.io/proxy-body-size: 8m",
            "fairlead.io/server-alias: alias.example.com",
            "fairlead.io/canary: \"true\", fairlead.io/canary-weight: \"10\"",
            "fairlead.io/auth-type: basic, fairlead.io/auth-secret: secret-1",
            "fairlead.io/proxy-body-size: wrong");

    private TestIngresses() {}

    static KubernetesObject object(String yaml) {
        return IngressScenario.object(Yaml.parseAll(yaml).getFirst());
    }

    static KubernetesObject service(String name) {
        return object("""
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {clusterIP: 10.96.0.1, ports: [{port: 80, targetPort: 8080}]}
            """.formatted(name));
    }

    static KubernetesObject externalService(String name) {
        return object("""
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {type: ExternalName, externalName: example.org}
            """.formatted(name));
    }

    static KubernetesObject slice(String service, String address) {
        return object("""
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %1$s-1, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints: [{addresses: [%2$s]}]
            """.formatted(service, address));
    }

    static KubernetesObject ingress(String name, String annotations, String host, String path, String service) {
        return object("""
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: %s, annotations: {%s}}
            spec:
              ingressClassName: fairlead
              tls: [{hosts: ["%3$s"], secretName: secret-1}]
              rules: [{host: "%3$s", http: {paths: [{path: "%4$s", pathType: Prefix, backend: {service: {name: %5$s, port: {number: 80}}}}]}}]
            """.formatted(name, annotations, host, path, service));
    }

    static KubernetesObject secret(String name, int version) {
        return object("""
            apiVersion: v1
            kind: Secret
            metadata: {name: %s}
            type: kubernetes.io/tls
            data: {tls.crt: %s, tls.key: %s, auth: %s}
            """.formatted(
                        name,
                        base64("-----BEGIN CERTIFICATE-----\n" + version),
                        base64("-----BEGIN PRIVATE KEY-----\n" + version),
                        base64("user:" + version)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    static Snapshot step(Snapshot snapshot, Random random) {
        String name = "ingress-" + random.nextInt(8);
        String service = "service-" + random.nextInt(4);
        return switch (random.nextInt(10)) {
            case 0 -> without(snapshot, snapshot.ingresses().values().toList(), random);
            case 1 -> without(snapshot, snapshot.services().values().toList(), random);
            case 2 -> without(snapshot, snapshot.secrets().values().toList(), random);
            case 3 -> snapshot.with(random.nextInt(4) == 0 ? externalService(service) : service(service));
            case 4 -> snapshot.with(secret("secret-1", random.nextInt(5)));
            case 5, 6 -> snapshot.with(slice(service, "10.244.1." + (1 + random.nextInt(9))));
            default ->
                snapshot.with(ingress(
                        name,
                        ANNOTATIONS.get(random.nextInt(ANNOTATIONS.size())),
                        "host-" + random.nextInt(4) + ".example.com",
                        PATHS.get(random.nextInt(PATHS.size())),
                        service));
        };
    }

    private static Snapshot without(Snapshot snapshot, List<? extends KubernetesObject> some, Random random) {
        return some.isEmpty() ? snapshot : snapshot.without(some.get(random.nextInt(some.size())));
    }
}
