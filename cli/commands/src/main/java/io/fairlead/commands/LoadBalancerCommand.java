package io.fairlead.commands;

import io.fairlead.balancers.AddressPools;
import io.fairlead.balancers.LoadBalancers;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Reflector;
import io.fairlead.kubectl.Cluster;
import io.fairlead.runtime.TaskGroup;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `fairlead load-balancer`: gives Services their addresses, on any Kubernetes cluster.
@Command(
        name = "load-balancer",
        description = {
            "Give Services of type LoadBalancer addresses from pools, on any Kubernetes cluster without a cloud.",
            "Run one of it; \"fairlead server\" does the same by itself. \"fairlead proxy --announce\" on the nodes"
                    + " answers for the addresses."
        },
        footer = {
            "",
            "Example:",
            "  fairlead load-balancer --kubeconfig /etc/fairlead/kubeconfig"
                    + " --load-balancer-pool public=192.168.1.200-192.168.1.250"
        })
final class LoadBalancerCommand implements Runnable {
    private final Main main;

    @Option(
            names = "--load-balancer-pool",
            required = true,
            paramLabel = "NAME=RANGE[,RANGE...]",
            description = "Addresses to give: FROM-TO or CIDR, of either family. May be given again.")
    private List<String> pools = List.of();

    LoadBalancerCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        AddressPools balanced = PoolOption.read(pools, List.of());
        Shutdown.interrupts(() -> {
            try (var client = new ApiClient(access());
                    var tasks = new TaskGroup("load-balancer")) {
                var reflector = new Reflector(client, LoadBalancers.interests());
                LoadBalancers.run(balanced, tasks, reflector, client);
                reflector.run(tasks);
                tasks.await();
            }
        });
    }

    /// The cluster that is named, or else the one whose pod this is.
    private ClusterAccess access() {
        Cluster cluster = main.cluster();
        return cluster.isNamed()
                ? cluster.access()
                : ClusterAccess.ofPod(System.getenv()).orElseGet(cluster::access);
    }
}
