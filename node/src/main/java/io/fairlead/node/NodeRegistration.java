package io.fairlead.node;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.Latest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the Node object of this node in the API, also when somebody deletes or changes it.
final class NodeRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistration.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final NodeConfig config;
    private final ApiClient api;

    NodeRegistration(NodeConfig config, ApiClient api) {
        this.config = config;
        this.api = api;
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        NodeObject wanted = new NodeObject(config, facts());
        NamespacedName key = new NamespacedName("", config.name());
        Snapshot snapshot = snapshots.take();
        while (true) {
            boolean said = snapshot.nodes().find(key).filter(wanted::isSaidBy).isPresent();
            boolean done = said || register(key, wanted);
            snapshot = done ? snapshots.take() : snapshots.take(RETRY).orElse(snapshot);
        }
    }

    private boolean register(NamespacedName key, NodeObject wanted) throws InterruptedException {
        try {
            createOrPatch(key, wanted);
            LOG.info("node={} registered", config.name());
            return true;
        } catch (ApiException e) {
            LOG.warn("node={} not registered: {}", config.name(), e.getMessage());
            return false;
        }
    }

    private void createOrPatch(NamespacedName key, NodeObject wanted) throws InterruptedException {
        ObjectNode status = wanted.status(Instant.now());
        try {
            ObjectNode whole = wanted.object();
            whole.setAll(status);
            api.create(Kind.NODE, whole);
        } catch (ApiException e) {
            if (!e.isConflict()) {
                throw e;
            }
            api.mergePatch(Kind.NODE, key, wanted.object());
            api.patchStatus(Kind.NODE, key, status);
        }
    }

    /// What this machine says of itself.
    private static Map<String, String> facts() {
        String version = Optional.ofNullable(NodeRegistration.class.getPackage().getImplementationVersion())
                .orElse("dev");
        String arch = System.getProperty("os.arch");
        return Map.of(
                "operatingSystem",
                "linux",
                "architecture",
                arch.equals("aarch64") ? "arm64" : arch,
                "kernelVersion",
                System.getProperty("os.version"),
                "osImage",
                osImage(),
                "containerRuntimeVersion",
                "fairlead://" + version,
                "kubeletVersion",
                "fairlead-" + version,
                "machineID",
                line("/etc/machine-id"),
                "bootID",
                line("/proc/sys/kernel/random/boot_id"));
    }

    private static String osImage() {
        return lines("/etc/os-release")
                .lines()
                .filter(line -> line.startsWith("PRETTY_NAME="))
                .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
                .findFirst()
                .orElse("Linux");
    }

    private static String line(String file) {
        return lines(file).strip();
    }

    private static String lines(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return ""; // a machine without this file has nothing to say here
        }
    }
}
