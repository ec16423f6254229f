package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Snapshot;
import io.fairlead.containers.NodeException;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the routes to the pods of the other nodes.
///
/// The routes it made are written down before they are made, so that one to a node that went while no agent ran is
/// still taken away.
final class RouteLoop implements ApplyLoop.Work<Snapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(RouteLoop.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final String FILE = "network.json";

    private final NodeConfig config;
    private final StateFolder state;
    private SortedMap<Cidr, Ip> made = new TreeMap<>(); // or perhaps made, while we are not sure
    private boolean sure;

    RouteLoop(NodeConfig config, StateFolder state) {
        this.config = config;
        this.state = state;
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        made = written(state);
        write(made); // says which namespace the bridge is in, even where there is no other node
        new ApplyLoop<>(snapshots, this, new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault())).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) {
        SortedMap<Cidr, Ip> wanted = RoutePlan.of(snapshot, config);
        if (sure && made.equals(wanted)) {
            return;
        }
        SortedMap<Cidr, Ip> set = sure ? made : new TreeMap<>();
        made = both(made, wanted);
        sure = false;
        write(made);
        set(set, wanted);
        made = wanted;
        sure = true;
        write(made);
    }

    @Override
    public boolean isRefusal(RuntimeException failure) {
        return failure instanceof KernelException || failure instanceof NodeException;
    }

    @Override
    public void refused(RuntimeException refusal, Duration pause) {
        LOG.warn("event=routes-failed retry={}ms reason=\"{}\"", pause.toMillis(), refusal.getMessage());
    }

    /// What an agent before this one made in this network namespace.
    static SortedMap<Cidr, Ip> written(StateFolder state) {
        SortedMap<Cidr, Ip> routes = new TreeMap<>();
        JsonNode file = state.read(FILE);
        if (isHere(state)) {
            Json.map(file, "routes").forEach((cidr, via) -> routes.put(Cidr.parse(cidr), Ip.parse(via)));
        }
        return routes;
    }

    /// True if the agent worked in the network namespace of this JVM.
    static boolean isHere(StateFolder state) {
        return Json.text(state.read(FILE), "namespace").equals(NodeNetwork.namespaceId());
    }

    private static SortedMap<Cidr, Ip> both(Map<Cidr, Ip> before, Map<Cidr, Ip> wanted) {
        SortedMap<Cidr, Ip> all = new TreeMap<>(before);
        all.putAll(wanted);
        return all;
    }

    private void write(Map<Cidr, Ip> routes) {
        ObjectNode file = Json.object().put("namespace", NodeNetwork.namespaceId());
        ObjectNode map = file.putObject("routes");
        routes.forEach((cidr, via) -> map.put(cidr.toString(), via.toString()));
        state.write(FILE, file);
    }

    /// Sets what is wanted and not among the `set` ones, removes what else may have been made.
    private void set(Map<Cidr, Ip> set, Map<Cidr, Ip> wanted) {
        try (RouteSocket route = RouteSocket.open()) {
            for (Cidr cidr : made.keySet()) {
                Ip via = wanted.get(cidr);
                if (via == null) {
                    route.deleteRoute(cidr);
                    LOG.info("event=route-removed route={}", cidr);
                } else if (!via.equals(set.get(cidr))) {
                    route.replaceRoute(new Route(cidr, List.of(via), NodeNetwork.linkOf(ownAddress(via))));
                    LOG.info("event=route-set route={} via={}", cidr, via);
                }
            }
        }
    }

    private Ip ownAddress(Ip via) {
        return config.addresses().stream()
                .filter(own -> own.family() == via.family())
                .findFirst()
                .orElseThrow(() -> new NodeException(
                        "this node has no %s address, so it cannot reach %s".formatted(via.family(), via)));
    }
}
