package io.fairlead.commands;

import io.fairlead.client.ApiClient;
import io.fairlead.client.Kubeconfig;
import io.fairlead.client.Reflector;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.KubeProxyConfiguration;
import io.fairlead.sync.Proxy;
import io.fairlead.sync.ProxyConfig;
import io.fairlead.sync.ProxyException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A proxy that programs a network namespace of its own, once: its start is what the JVM is to take notes of.
///
/// Without root, or where the kernel cannot, nothing is rehearsed.
final class ProxyRehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyRehearsal.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path kubeconfig;

    ProxyRehearsal(Path kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    void run() throws InterruptedException {
        Optional<NetworkNamespace> namespace = namespace();
        if (namespace.isEmpty()) {
            return;
        }
        try (ApiClient client = new ApiClient(Kubeconfig.read(kubeconfig))) {
            program(client, namespace.get());
        } catch (ProxyException e) {
            LOG.warn("event=rehearsal-failed program=proxy reason=\"{}\"", e.getMessage());
        } finally {
            namespace.get().delete();
        }
    }

    private static Optional<NetworkNamespace> namespace() {
        try {
            return Optional.of(NetworkNamespace.create(
                    "flrehearsal" + ProcessHandle.current().pid()));
        } catch (UncheckedIOException | KernelException e) {
            return Optional.empty();
        }
    }

    /// The client stays outside, where the API server is.
    private static void program(ApiClient client, NetworkNamespace namespace) throws InterruptedException {
        ProxyConfig config = new KubeProxyConfiguration(ProxyFlags.none()).proxy("rehearsal", "nftables");
        try (Proxy proxy = namespace.call(() -> Proxy.open(config));
                TaskGroup tasks = new TaskGroup("rehearsal-proxy")) {
            Reflector reflector =
                    new Reflector(client, Proxy.interests(config.node().name()), Proxy.excerpt());
            namespace.call(() -> proxy.run(reflector.snapshots(), tasks));
            reflector.run(tasks);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!proxy.dump().contains("by-hand") && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
        }
    }
}
