package io.fairlead.commands;

import io.fairlead.agent.NodeAgent;
import io.fairlead.agent.PodView;
import io.fairlead.api.AgentDoor;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ClusterAccess;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sessions.Pods;
import io.fairlead.sessions.SessionServer;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets the API server reach into the pods of a node: the agent knows them, the room `sessions` knows how.
record NodeSessions(NodeAgent agent, Path logs) implements Pods {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSessions.class);
    /// Listens at the node's address, with the certificate by which the agent is known to the API server.
    void serve(Ip address, ClusterAccess access, TaskGroup tasks) {
        access.tls()
                .mutual()
                .ifPresentOrElse(
                        tls -> new SessionServer(this, AgentDoor.CALLER, logs)
                                .listen(new IpPort(address, AgentDoor.PORT), tls, tasks),
                        () -> LOG.warn("event=sessions-off reason=\"the kubeconfig has no client certificate\""));
    }

    @Override
    public Optional<Pod> find(NamespacedName name) {
        return agent.find(name)
                .map(pod -> new Pod(
                        pod.name(),
                        pod.namespace(),
                        pod.addresses(),
                        pod.containers().stream().map(NodeSessions::container).toList()));
    }

    private static Container container(PodView.Container container) {
        return new Container(
                container.name(),
                container.running(),
                (command, tty) -> container
                        .entry()
                        .orElseThrow(() ->
                                new IllegalStateException("container %s does not run".formatted(container.name())))
                        .enter(command, tty),
                new Logs(container.log(), container.logBefore()),
                container.terminal());
    }
}
