package io.fairlead.nginx;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.routes.Configuration;
import io.fairlead.routes.NginxConfiguration;
import io.fairlead.routes.RouteTable;
import io.fairlead.routes.Settings;
import io.fairlead.routes.VipConfiguration;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Serves the Ingresses of a cluster by an nginx of its own.
public final class IngressController {
    /// The Lease of the one that writes status.
    public static final NamespacedName LEASE = new NamespacedName("kube-system", "fairlead-ingress");

    private final IngressConfig config;
    private final Folder folder;
    private final NginxProcess process;
    private final Nginx nginx;
    private final IngressMetrics metrics = new IngressMetrics();
    private final Latest<RouteTable> applied = new Latest<>();

    public IngressController(IngressConfig config) {
        this.config = config;
        this.folder = new Folder(Path.of(config.place().folder()));
        this.process = new NginxProcess(folder, config.program());
        this.nginx = new Nginx(folder, process, first(config));
    }

    /// What nginx starts by where there is nothing better.
    private static Configuration first(IngressConfig config) {
        return config.place().lua()
                ? new NginxConfiguration(config.place(), Settings.DEFAULT, List.of(), List.of())
                : VipConfiguration.of(
                        RouteTable.of(Snapshot.EMPTY, config.ownership()),
                        new VipConfiguration.Given(config.place(), Settings.DEFAULT, List.of(), Optional.empty()));
    }

    /// Starts the loops; they end with the group, and nginx goes on.
    public void run(Latest<Snapshot> snapshots, TaskGroup tasks) {
        folder.prepare();
        folder.writeSecret("default.pem", config.certificate().getBytes(StandardCharsets.UTF_8));
        Latest<RouteTable> states = new Latest<>();
        Follower follower = config.place().lua()
                ? new LuaFollower(config, nginx, metrics)
                : new VipFollower(config, nginx, folder, metrics);
        IngressLoop loop = new IngressLoop(nginx, follower, metrics, table -> {
            applied.offer(table);
            states.offer(table);
        });
        if (config.place().lua()) {
            tasks.run("ingress-state", () -> new StateKeeper(folder).run(states));
        }
        tasks.run("ingress", () -> loop.run(snapshots));
    }

    /// Starts what tells the cluster: Events, and the status if we lead. The answer withdraws it.
    public Withdrawal tell(ApiClient client, TaskGroup tasks) {
        Latest<RouteTable> forEvents = new Latest<>();
        Latest<RouteTable> forStatus = new Latest<>();
        Leadership leadership = new Leadership(client, LEASE, config.identity());
        StatusWriter status = new StatusWriter(client, leadership, config.addresses());
        tasks.run("ingress-tables", () -> {
            while (true) {
                RouteTable table = applied.take();
                forEvents.offer(table);
                forStatus.offer(table);
            }
        });
        tasks.run("ingress-events", () -> new Events(client).run(forEvents));
        tasks.run("ingress-status", () -> status.run(forStatus));
        return () -> {
            Optional<RouteTable> last = forStatus.peek();
            if (last.isPresent()) {
                status.withdraw(last.get());
            }
        };
    }

    /// What is done before the end: addresses are taken out of the status.
    public interface Withdrawal {
        void run() throws InterruptedException;
    }

    /// True once nginx has been told of a Snapshot.
    public boolean isReady() {
        return applied.peek().isPresent() && process.isRunning();
    }

    /// The table that nginx serves; nothing before the first.
    Optional<RouteTable> applied() {
        return applied.peek();
    }

    /// The page for Prometheus.
    public String metrics() {
        return metrics.text()
                + CountsText.page(
                        config.place().lua() && process.isRunning()
                                ? nginx.control().counts()
                                : "");
    }

    public long reloads() {
        return metrics.reloads();
    }

    /// Lets clients leave their connections, then lets nginx finish what it has, for as long as `patience` lasts, and
    /// ends it.
    public void drain(Duration patience) throws InterruptedException {
        if (config.place().lua() && process.isRunning() && nginx.announceReload()) {
            Thread.sleep(Reloads.NOTICE);
        }
        process.quit(patience);
    }
}
