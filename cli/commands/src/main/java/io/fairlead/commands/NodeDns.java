package io.fairlead.commands;

import io.fairlead.agent.NodeConfig;
import io.fairlead.api.IpPort;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Reflector;
import io.fairlead.resolver.DnsConfig;
import io.fairlead.resolver.DnsServer;
import io.fairlead.resolver.Forward;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Name;
import io.fairlead.zone.ZoneSettings;
import java.util.List;

/// The server of names on a node: it answers at the node's addresses, to which the Service kube-dns leads its pods.
final class NodeDns {
    private static final int PORT = 53;

    private NodeDns() {}

    static void run(NodeConfig node, ApiClient client, TaskGroup tasks) {
        ZoneSettings zone =
                ZoneSettings.DEFAULT.withOrigin(Name.of(node.settings().clusterDomain()));
        List<IpPort> places =
                node.addresses().stream().map(ip -> new IpPort(ip, PORT)).toList();
        List<IpPort> upstream = DnsCommand.usualServers(node.addresses());
        DnsConfig config = DnsConfig.at(places, 1)
                .withZone(zone.withServers(node.addresses()))
                .withForwards(upstream.isEmpty() ? List.of() : List.of(new Forward(Name.ROOT, upstream)));
        // Its own, because the proxy's leaves headless Services out.
        Reflector reflector = new Reflector(client, DnsServer.interests(zone));
        new DnsServer(config, tasks).run(reflector.snapshots());
        reflector.run(tasks);
    }
}
