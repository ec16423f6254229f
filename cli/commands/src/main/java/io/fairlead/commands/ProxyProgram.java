package io.fairlead.commands;

import io.fairlead.api.Cidr;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Reflector;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.ConntrackSettings;
import io.fairlead.sync.KubeProxyConfiguration;
import io.fairlead.sync.ModeChoice;
import io.fairlead.sync.Proxy;
import io.fairlead.sync.ProxyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running `fairlead proxy`: what it is made of, and what goes on beside it.
final class ProxyProgram {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyProgram.class);

    /// How long a node may take to appear that says which pods are its own, and the kernel to load its table.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// How often we look at the file we were started with.
    private static final Duration LOOK = Duration.ofSeconds(2);

    /// For kube-proxy, which looks at the version of the kernel; we ask the kernel for what we need.
    private static final String SKIP_CHECK = "KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK";

    private final KubeProxyConfiguration configuration;
    private final AnnounceOptions announce;
    private final boolean acknowledge;
    private final Map<Path, String> files;

    /// `files` are those it was started with, and their texts: it ends when one has another.
    ProxyProgram(
            KubeProxyConfiguration configuration,
            AnnounceOptions announce,
            boolean acknowledge,
            Map<Path, String> files) {
        this.configuration = configuration;
        this.announce = announce;
        this.acknowledge = acknowledge;
        this.files = Map.copyOf(files);
    }

    void serve(ApiClient client) throws InterruptedException {
        ProxyConfig config = proxy(client);
        String node = config.node().name();
        var reflector = new Reflector(client, announce.with(Proxy.interests(node)), configuration.excerpt());
        try (var tasks = new TaskGroup("proxy")) {
            reflector.run(tasks); // first: while the lists come, the kernel is asked what it can do
            setConntrack(configuration.conntrack(), tasks);
            serve(config, client, reflector, tasks);
        }
    }

    private void serve(ProxyConfig config, ApiClient client, Reflector reflector, TaskGroup tasks)
            throws InterruptedException {
        Restart restart = new Restart(tasks);
        try (var proxy = Proxy.open(config);
                tasks) { // which must have ended before the proxy lets go of the kernel
            announce.run(announce.config(config.node().name()), client, proxy, reflector, tasks);
            proxy.run(reflector.snapshots(), tasks);
            proxy.tellTo(client, tasks);
            if (acknowledge) {
                proxy.acknowledgeTo(client, tasks);
            }
            files.forEach((file, text) -> tasks.keep("config", () -> restart.whenChanged(file, text, LOOK)));
            if (configuration.detectsByNode()) {
                Latest<Snapshot> snapshots = reflector.snapshots();
                tasks.keep("pod-cidr", () -> watchPods(snapshots, config, restart));
            }
            configuration.unused().forEach(field -> LOG.info("event=ignored field={}", field));
            if (!System.getenv().getOrDefault(SKIP_CHECK, "").isEmpty()) {
                LOG.info("event=ignored variable={}", SKIP_CHECK);
            }
            tasks.await();
        }
        restart.throwIfAsked();
    }

    /// The kernel may load its table of connections only when our rules ask for it.
    static void setConntrack(ConntrackSettings settings, TaskGroup tasks) {
        ConntrackSettings.Outcome outcome = settings.apply();
        outcome.refused().forEach(refused -> LOG.warn("event=conntrack-refused reason=\"{}\"", refused));
        if (!outcome.absent().isEmpty()) {
            tasks.keep("conntrack", () -> setLater(settings));
        }
    }

    private static void setLater(ConntrackSettings settings) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        ConntrackSettings.Outcome outcome;
        do {
            Thread.sleep(Duration.ofSeconds(1));
            outcome = settings.apply();
        } while (!outcome.absent().isEmpty() && System.nanoTime() < end);
        outcome.refused().forEach(refused -> LOG.warn("event=conntrack-refused reason=\"{}\"", refused));
        outcome.absent().forEach(name -> LOG.warn("event=conntrack-absent setting={}", name));
    }

    private ProxyConfig proxy(ApiClient client) throws InterruptedException {
        String name = nodeName(configuration);
        ProxyConfig config = configuration.proxy(name, mode(configuration, name));
        if (config.missesLocalhost()) {
            LOG.warn(
                    "event=localhost-closed mode={} reason=\"node ports answer there in the mode iptables\"",
                    config.mode());
        }
        return configuration.detectsByNode()
                ? config.withNode(config.node().withPods(ownPods(client, name, PATIENCE)))
                : config;
    }

    /// The mode to run; which one `auto` is, is logged with the reason.
    static String mode(KubeProxyConfiguration configuration, String node) {
        String mode = configuration.mode();
        if (!mode.equals("auto")) {
            return mode;
        }
        ModeChoice choice = ModeChoice.auto(configuration.proxy(node, mode).node());
        LOG.info("event=mode-chosen mode={} reason=\"{}\"", choice.mode(), choice.why());
        return choice.mode();
    }

    static String nodeName(KubeProxyConfiguration configuration) {
        String name = configuration.nodeName();
        return name.isEmpty() ? HostName.read("--hostname-override") : name.toLowerCase(Locale.ROOT);
    }

    /// The pod networks of the node, which it may not have yet, of a server that may not be there yet.
    static LocalPods ownPods(ApiClient client, String name, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            String reason;
            try {
                Optional<Node> node =
                        client.find(Kind.NODE, new NamespacedName("", name)).map(Node::of);
                if (node.isPresent() && !node.get().podCidrs().isEmpty()) {
                    return LocalPods.within(node.get().podCidrs());
                }
                reason = "the node %s has no podCIDR, which --detect-local-mode NodeCIDR needs".formatted(name);
            } catch (ApiException e) {
                reason = String.valueOf(e.getMessage());
            }
            if (System.nanoTime() > end) {
                throw new CommandException("error: " + reason);
            }
            LOG.info("event=waiting node={} reason=\"{}\"", name, reason);
            Thread.sleep(Duration.ofSeconds(1));
        }
    }

    /// How pods are recognised is fixed for a running proxy: with another network it must start anew.
    private static void watchPods(Latest<Snapshot> snapshots, ProxyConfig config, Restart restart)
            throws InterruptedException {
        NamespacedName name = new NamespacedName("", config.node().name());
        while (true) {
            List<Cidr> now =
                    snapshots.take().nodes().find(name).map(Node::podCidrs).orElse(List.of());
            if (!now.isEmpty() && !LocalPods.within(now).equals(config.node().pods())) {
                restart.ask("the podCIDR of node %s is %s now".formatted(name.name(), now));
                return;
            }
        }
    }
}
