package io.fairlead.cli;

import io.fairlead.client.Reflector;
import io.fairlead.proxy.Proxy;
import io.fairlead.runtime.TaskGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `fairlead proxy`: the proxy alone, on any Kubernetes cluster.
@Command(
        name = "proxy",
        description = {
            "Run the proxy of this node: it turns Services and their endpoints into kernel state.",
            "What is programmed stays when it ends. Needs root."
        },
        footer = {"", "Example:", "  fairlead proxy --kubeconfig /etc/fairlead/kubeconfig --cluster-cidr 10.244.0.0/16"
        })
final class ProxyCommand implements Runnable {
    private final Main main;

    @Mixin
    private NodeOptions node = new NodeOptions();

    ProxyCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        Shutdown.interrupts(() -> {
            try (var client = main.cluster().connect();
                    var proxy = Proxy.open(node.proxy());
                    var tasks = new TaskGroup("proxy")) {
                var reflector = new Reflector(client, Proxy.interests(node.name()));
                proxy.run(reflector.snapshots(), tasks);
                reflector.run(tasks);
                tasks.await();
            }
        });
    }
}
