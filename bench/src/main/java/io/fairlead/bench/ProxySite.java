package io.fairlead.bench;

import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.util.List;

/// Three network namespaces in a row: clients (and the API server), a node, and pods with every address of a large
/// block. No way leads out of them.
///
/// ```
/// client 10.250.0.1 ── 10.250.0.2 node 10.251.0.1 ── 10.251.0.2 pods (10.128.0.0/10 is local there)
/// ```
final class ProxySite implements AutoCloseable {
    /// Where the clients are, and the API server among them.
    static final String CLIENT = "10.250.0.1";

    static final String CLIENTS = "10.250.0.0/24";

    private final NetworkNamespace client;
    private final NetworkNamespace node;
    private final NetworkNamespace pods;
    private final Answerer answerer;

    private ProxySite(String name) throws IOException {
        client = NetworkNamespace.create(name + "-client");
        node = NetworkNamespace.create(name + "-node");
        pods = NetworkNamespace.create(name + "-pods");
        connect();
        pods.sysctl("core/somaxconn", Integer.toString(Answerer.CALLS_IN_REST));
        answerer = pods.call(Answerer::open);
    }

    static ProxySite build(String name) throws IOException {
        return new ProxySite(name);
    }

    private void connect() {
        inside(client, "link add node type veth peer name client netns " + node.name());
        inside(pods, "link add node type veth peer name pods netns " + node.name());
        inside(client, "address add 10.250.0.1/24 dev node", "link set node up");
        inside(node, "address add 10.250.0.2/24 dev client", "link set client up");
        inside(node, "address add 10.251.0.1/24 dev pods", "link set pods up");
        inside(pods, "address add 10.251.0.2/24 dev node", "link set node up");
        inside(client, "route add 10.96.0.0/16 via 10.250.0.2", "route add 10.128.0.0/10 via 10.250.0.2");
        inside(node, "route add 10.128.0.0/10 via 10.251.0.2");
        inside(pods, "route add 10.250.0.0/24 via 10.251.0.1", "route add local 10.128.0.0/10 dev lo");
        node.sysctl("ipv4/ip_forward", "1");
        // Every client port, and no wait for the ports of connections that are over.
        client.sysctl("ipv4/ip_local_port_range", "1024 65000");
    }

    private static void inside(NetworkNamespace namespace, String... orders) {
        for (String order : orders) {
            List<String> words = List.of(("ip " + order).split(" "));
            Command.Result result = namespace.call(() -> Command.run(words, ""));
            if (!result.succeeded()) {
                throw new IllegalStateException("ip %s: %s".formatted(order, result.errors()));
            }
        }
    }

    NetworkNamespace client() {
        return client;
    }

    NetworkNamespace node() {
        return node;
    }

    Answerer answerer() {
        return answerer;
    }

    @Override
    public void close() {
        answerer.close();
        List.of(client, node, pods).forEach(NetworkNamespace::delete);
    }
}
