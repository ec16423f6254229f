package io.fairlead.up;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import tools.jackson.databind.JsonNode;

/// Snapshots for tests, from YAML.
public final class Snapshots {
    private Snapshots() {}

    public static Snapshot of(String yaml) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (JsonNode document : Yaml.parseAll(yaml)) {
            Kind kind = Kind.find(
                            document.path("apiVersion").stringValue(),
                            document.path("kind").stringValue())
                    .orElseThrow();
            snapshot = snapshot.with(KubernetesObject.of(kind, document).orElseThrow());
        }
        return snapshot;
    }

    /// A pod of the sample.
    public static String pod(String name, String node, String ip, boolean ready) {
        return """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: default, name: %s, labels: {app: hello}}
            spec: {nodeName: "%s"}
            status: {phase: Running, podIP: "%s", conditions: [{type: Ready, status: "%s"}]}
            """.formatted(name, node, ip, ready ? "True" : "False");
    }

    /// The Service of the sample with these ready endpoints, a list in YAML.
    public static String service(String addresses) {
        return """
            ---
            apiVersion: v1
            kind: Service
            metadata: {namespace: default, name: hello}
            spec:
              clusterIP: 10.96.12.34
              clusterIPs: [10.96.12.34]
              ports: [{name: http, port: 80, targetPort: http, nodePort: 30123}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: default, name: hello-1, labels: {kubernetes.io/service-name: hello}}
            addressType: IPv4
            endpoints: [%s]
            """.formatted(addresses);
    }
}
