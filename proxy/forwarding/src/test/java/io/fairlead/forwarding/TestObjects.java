package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.util.List;

/// Kubernetes objects for tests, from the YAML that a user would write.
final class TestObjects {
    static final NodeFacts NODE_A =
            NodeFacts.of("node-a", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")));

    private TestObjects() {}

    /// A Service of the namespace `default`; `spec` in flow style.
    static Service service(String name, String spec) {
        return service(name, "{}", spec);
    }

    static Service service(String name, String labels, String spec) {
        return Service.of(Yaml.parseAll("""
            metadata: {namespace: default, name: %s, labels: %s}
            spec: %s
            """.formatted(name, labels, spec)).getFirst());
    }

    /// All of a slice but its name and its endpoints.
    record Form(String labels, String addressType, String ports) {
        /// A slice of a Service, with port 8080 behind the port without a name.
        static Form of(String service) {
            return new Form("{kubernetes.io/service-name: %s}".formatted(service), "IPv4", "[{port: 8080}]");
        }

        static Form of(String service, String addressType, String ports) {
            return new Form(of(service).labels, addressType, ports);
        }
    }

    /// An IPv4 slice of the Service `web`.
    static EndpointSlice slice(String name, String... endpoints) {
        return slice(name, Form.of("web"), endpoints);
    }

    static EndpointSlice slice(String name, Form form, String... endpoints) {
        return EndpointSlice.of(Yaml.parseAll(
                        """
                        metadata: {namespace: default, name: %s, labels: %s}
                        addressType: %s
                        ports: %s
                        endpoints: [%s]
                        """.formatted(name, form.labels, form.addressType, form.ports, String.join(", ", endpoints)))
                .getFirst());
    }

    /// A ready endpoint on node-b.
    static String ready(String address) {
        return "{addresses: [\"%s\"], nodeName: node-b}".formatted(address);
    }

    static String unready(String address) {
        return "{addresses: [\"%s\"], nodeName: node-b, conditions: {ready: false, serving: false}}".formatted(address);
    }

    /// A pod that is going down and still answers.
    static String terminating(String address) {
        return "{addresses: [\"%s\"], nodeName: node-b, conditions: {ready: false, serving: true, terminating: true}}"
                .formatted(address);
    }

    /// A ready endpoint on some node.
    static String on(String node, String address) {
        return "{addresses: [\"%s\"], nodeName: %s}".formatted(address, node);
    }

    /// The text of the table of node-a.
    static String rows(KubernetesObject... objects) {
        return rows(NODE_A, objects);
    }

    static String rows(NodeFacts node, KubernetesObject... objects) {
        return ForwardingTable.of(snapshot(objects), node).text();
    }

    static Snapshot snapshot(KubernetesObject... objects) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (KubernetesObject object : objects) {
            snapshot = snapshot.with(object);
        }
        return snapshot;
    }
}
