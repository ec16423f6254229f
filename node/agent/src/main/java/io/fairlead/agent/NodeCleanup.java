package io.fairlead.agent;

import io.fairlead.containers.ContainerId;
import io.fairlead.containers.ContainerRuntime;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.PodNames;
import io.fairlead.containers.RuncRuntime;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.Mounts;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.RouteSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes away what a node agent made: its pods, and its part of the network.
public final class NodeCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCleanup.class);

    private NodeCleanup() {}

    /// Kills all pods of the node and removes their namespaces; and, where the agent worked in the network
    /// namespace of this JVM, its bridge, links and routes too. Safe to repeat. Refused while an agent still
    /// runs there.
    public static void removeAll(Path stateDirectory, String namespacePrefix) throws InterruptedException {
        String prefix = PodNames.namespacePrefix(namespacePrefix);
        if (!Files.isDirectory(stateDirectory)) {
            removeNamespaces(prefix);
            return;
        }
        try (StateFolder state = StateFolder.open(stateDirectory)) {
            // All at once: the namespaces are then found empty one by one.
            removeContainers(state, stateDirectory);
            Cgroups.remove(Cgroups.ofNode(namespacePrefix));
            removeNamespaces(prefix);
            if (RouteLoop.isHere(state)) {
                removeLinks(state);
            }
            state.clear();
        }
    }

    /// One that the runtime does not remove keeps none of the others: what is left of it goes with the control group.
    private static void removeContainers(StateFolder state, Path stateDirectory) throws InterruptedException {
        ContainerRuntime runtime = RuncRuntime.open(stateDirectory);
        for (PodRecord record : state.records()) {
            for (ContainerId id : runtime.list(record.names().folder())) {
                try {
                    runtime.remove(id);
                } catch (NodeException e) {
                    LOG.warn("event=container-not-removed container={} reason=\"{}\"", id, e.getMessage());
                }
            }
        }
        Mounts.below(stateDirectory).forEach(Mounts::detach);
    }

    private static void removeNamespaces(String prefix) throws InterruptedException {
        for (NetworkNamespace namespace : NetworkNamespace.startingWith(prefix)) {
            PodNetwork.killAll(namespace, _ -> true);
            namespace.delete();
        }
    }

    private static void removeLinks(StateFolder state) {
        try (RouteSocket route = RouteSocket.open()) {
            RouteLoop.written(state).keySet().forEach(route::deleteRoute);
            state.records().forEach(record -> route.deleteLink(record.names().link()));
            route.deleteLink(NodeNetwork.BRIDGE);
        }
    }
}
