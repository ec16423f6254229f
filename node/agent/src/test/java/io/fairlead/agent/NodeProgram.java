package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.containers.ImageTable;
import io.fairlead.http.ApiServer;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.MemoryStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The programs that a [NodeLab] runs as processes of their own, inside the namespace of its node.
final class NodeProgram {
    static final IpPort API = IpPort.parse("127.0.0.1:6443");

    private NodeProgram() {}

    /// `api`, `agent STATE PREFIX ADDRESSES CIDRS IMAGES` or `cleanup STATE PREFIX`.
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        switch (words.getFirst()) {
            case "api" -> api();
            case "agent" -> agent(words);
            case "cleanup" -> NodeCleanup.removeAll(Path.of(words.get(1)), words.get(2));
            default -> throw new IllegalArgumentException("no such program: " + words);
        }
    }

    private static void api() throws InterruptedException {
        try (ApiServer _ = ApiServer.start(ApiServerConfig.at(API), new MemoryStore());
                TaskGroup idle = new TaskGroup("idle")) {
            idle.await();
        }
    }

    private static void agent(List<String> words) throws InterruptedException {
        NodeConfig config = NodeConfig.of(
                        "node-1",
                        split(words.get(3)).map(Ip::parse).toList(),
                        split(words.get(4)).map(Cidr::parse).toList(),
                        Path.of(words.get(1)))
                .withNamespacePrefix(words.get(2))
                .withSettings(new NodeSettings(
                        NodeSettings.DEFAULT.leaseDuration(),
                        List.of(),
                        "cluster.local",
                        List.of(Path.of(words.get(5))),
                        new NodeSettings.Images(ImageTable.Samples.ALL, "")));
        List<Interest> interests = Stream.of(Kind.NODE, Kind.POD, Kind.ENDPOINT_SLICE, Kind.SERVICE)
                .map(Interest::all)
                .toList();
        try (ApiClient api = new ApiClient(ClusterAccess.of(URI.create("http://" + API)))) {
            Reflector reflector = new Reflector(api, interests);
            try (NodeAgent agent = new NodeAgent(config, api, reflector::snapshots);
                    TaskGroup tasks = new TaskGroup("node")) {
                agent.run(tasks);
                reflector.run(tasks);
                tasks.await();
            }
        }
    }

    private static Stream<String> split(String list) {
        return Stream.of(list.split(",", -1));
    }
}
