package io.fairlead.dist;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.client.Deletion;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// One connection through a Service of its own that stays open: each word is answered by the same word.
final class Conversation implements AutoCloseable {
    private static final NamespacedName NAME = new NamespacedName("default", "conversation");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int PORT = 7777;
    private static final int MOST_TRIES = 50;

    private final RunningCluster cluster;
    private final ServerSocket server;
    private final Socket socket;

    private Conversation(RunningCluster cluster, ServerSocket server, Socket socket) {
        this.cluster = cluster;
        this.server = server;
        this.socket = socket;
    }

    /// From the client pod of one node to that of another.
    static Conversation begin(RunningCluster cluster, String from, String to) throws Exception {
        IpPort vip = new IpPort(create(cluster, podIp(cluster, to)), PORT);
        ServerSocket server = cluster.clientPod(to).call(() -> new ServerSocket(PORT));
        Thread.ofPlatform().daemon().name("conversation").start(() -> answer(server));
        return new Conversation(cluster, server, connect(cluster.clientPod(from), vip));
    }

    private static Ip podIp(RunningCluster cluster, String node) throws InterruptedException {
        return cluster.pods()
                .filter(pod -> pod.key().name().equals("client-" + node))
                .findFirst()
                .orElseThrow()
                .status()
                .podIps()
                .getFirst();
    }

    private static Ip create(RunningCluster cluster, Ip endpoint) throws InterruptedException {
        ObjectNode created = cluster.client().create(Kind.SERVICE, (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "conversation"}, "spec": {"ports": [{"port": %d}]}}\
            """.formatted(PORT)));
        cluster.client().create(Kind.ENDPOINT_SLICE, (ObjectNode) Json.parse("""
            {"metadata": {"namespace": "default", "name": "conversation",
              "labels": {"kubernetes.io/service-name": "conversation"}}, "addressType": "IPv4",
             "ports": [{"name": "", "port": %d}], "endpoints": [{"addresses": ["%s"]}]}\
            """.formatted(PORT, endpoint)));
        return Service.of(created).clusterIps().getFirst();
    }

    /// It is refused until the node knows the endpoint.
    private static Socket connect(NetworkNamespace from, IpPort to) {
        return from.call(() -> {
            for (int i = 0; i < MOST_TRIES; i++) {
                Socket socket = new Socket();
                try {
                    socket.setSoTimeout((int) PATIENCE.toMillis());
                    socket.connect(new InetSocketAddress(to.ip().toString(), to.port()), (int) PATIENCE.toMillis());
                    return socket;
                } catch (IOException _) {
                    socket.close();
                    Thread.sleep(100);
                }
            }
            throw new IOException("%s does not answer".formatted(to));
        });
    }

    private static void answer(ServerSocket server) {
        try (Socket caller = server.accept()) {
            caller.getInputStream().transferTo(caller.getOutputStream());
        } catch (IOException _) {
            // the conversation is over
        }
    }

    /// Says a word; throws an [IOException] if the connection was cut, or no answer comes.
    void goOn() throws IOException {
        socket.getOutputStream().write('.');
        if (socket.getInputStream().read() != '.') {
            throw new IOException("another answer than was said");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        server.close();
        try {
            cluster.client().delete(Kind.ENDPOINT_SLICE, NAME, Deletion.DEFAULT);
            cluster.client().delete(Kind.SERVICE, NAME, Deletion.DEFAULT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
