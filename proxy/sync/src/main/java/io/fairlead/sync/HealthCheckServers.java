package io.fairlead.sync;

import io.fairlead.api.EventDraft;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.HealthCheck;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.ProxyServer.Answer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Answers load balancers that ask whether this node has pods of a Service, each at a port of its own (P19).
final class HealthCheckServers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthCheckServers.class);
    private static final String WEIGHT = "X-Load-Balancing-Endpoint-Weight";

    /// One port; `check` is what it answers, which changes while it runs.
    private static final class Running {
        private final TaskGroup tasks = new TaskGroup("health-check");
        private volatile HealthCheck check;

        Running(HealthCheck check) {
            this.check = check;
        }
    }

    private final BooleanSupplier healthy;
    private final EventSender events;
    private final Map<NamespacedName, Running> running = new HashMap<>();
    private final Map<NamespacedName, HealthCheck> failed = new HashMap<>();
    private PersistentMap<NamespacedName, HealthCheck> served = PersistentMap.empty();

    HealthCheckServers(BooleanSupplier healthy, EventSender events) {
        this.healthy = healthy;
        this.events = events;
    }

    /// Serves the checks of `table`, which is that of the Snapshot, and no others.
    ///
    /// Ports are closed before others are opened: one may go from a Service to another. One that could not be had
    /// before is tried again each time.
    void serve(ForwardingTable table, Snapshot snapshot) {
        PersistentMap<NamespacedName, HealthCheck> before = served;
        served = table.healthChecks();
        Map<NamespacedName, HealthCheck> wanted = new HashMap<>(failed);
        served.changedSince(before, service -> {
            Optional<HealthCheck> check = served.find(service);
            int port = check.map(HealthCheck::port).orElse(0);
            if (!answersAt(service, port)) {
                stop(service);
            }
            if (failed.containsKey(service) && failed.get(service).port() != port) {
                failed.remove(service);
            }
            check.ifPresentOrElse(some -> wanted.put(service, some), () -> wanted.remove(service));
        });
        wanted.forEach((service, check) -> serve(service, check, snapshot));
    }

    private boolean answersAt(NamespacedName service, int port) {
        Running known = running.get(service);
        return known != null && known.check.port() == port;
    }

    private void serve(NamespacedName service, HealthCheck check, Snapshot snapshot) {
        Running known = running.get(service);
        if (known != null) {
            known.check = check;
            return;
        }
        Running started = new Running(check);
        try {
            ProxyServer.Page page = _ -> answer(started.check);
            // For Java 0.0.0.0 is the address of all interfaces, in IPv6 too where the machine has it.
            ProxyServer.open(IpPort.parse("0.0.0.0:" + check.port()), Map.of(ProxyServer.ANY_PATH, page))
                    .run(started.tasks);
            running.put(service, started);
            failed.remove(service);
        } catch (ProxyException e) {
            started.tasks.close();
            if (failed.put(service, check) == null) {
                tell(service, snapshot, String.valueOf(e.getMessage()));
            }
        }
    }

    private void tell(NamespacedName service, Snapshot snapshot, String reason) {
        LOG.warn("event=health-check-failed service={} reason=\"{}\"", service, reason);
        String uid = snapshot.services()
                .find(service)
                .map(known -> known.metadata().uid())
                .orElse("");
        events.send(new EventDraft(
                Kind.SERVICE,
                service,
                uid,
                "Warning",
                "FailedToStartServiceHealthcheck",
                "node cannot start its health check: " + reason));
    }

    private void stop(NamespacedName service) {
        Running known = running.remove(service);
        if (known != null) {
            known.tasks.close();
        }
    }

    private Answer answer(HealthCheck check) {
        boolean proxyHealthy = healthy.getAsBoolean();
        ObjectNode body = Json.object();
        body.putObject("service")
                .put("namespace", check.service().namespace())
                .put("name", check.service().name());
        body.put("localEndpoints", check.localEndpoints()).put("serviceProxyHealthy", proxyHealthy);
        Map<String, String> headers = Map.of(
                "Content-Type",
                "application/json",
                "X-Content-Type-Options",
                "nosniff",
                WEIGHT,
                Integer.toString(check.localEndpoints()));
        int code = check.localEndpoints() > 0 && proxyHealthy ? 200 : 503;
        return new Answer(code, headers, Json.pretty(body).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        running.values().forEach(server -> server.tasks.close());
        running.clear();
    }
}
