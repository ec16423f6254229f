package io.fairlead.nginx;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.kernel.Command;
import io.fairlead.routes.IngressOwnership;
import io.fairlead.routes.NginxLayout;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A controller with a real nginx, fed with Snapshots by hand; all of it is gone when it is closed.
final class Door implements AutoCloseable {
    static final int HTTP = 18080;
    static final int HTTPS = 18443;

    final Path folder;
    final IngressController controller;
    private final Latest<Snapshot> snapshots = new Latest<>();
    private TaskGroup tasks = new TaskGroup("door");
    private Snapshot snapshot = Snapshot.EMPTY;

    Door(Path folder) {
        this(config(folder, true, IngressConfig.Sources.NONE));
    }

    Door(IngressConfig config) {
        this.folder = Path.of(config.place().folder());
        this.controller = new IngressController(config);
        controller.run(snapshots, tasks);
    }

    static IngressConfig config(Path folder, boolean lua, IngressConfig.Sources sources) {
        return new IngressConfig(
                new NginxLayout(folder.toString(), "", "/usr/lib/nginx/modules", lua, List.of(), HTTP, HTTPS),
                "/usr/sbin/nginx",
                IngressOwnership.DEFAULT,
                certificate("default.test"),
                sources,
                List.of("127.0.0.1"),
                "test",
                Duration.ofMillis(100),
                IngressConfig.MOST_OLD_WORKERS);
    }

    static Path makeFolder() {
        try {
            return Files.createTempDirectory("fl-ingress-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A certificate for a name and its key, as PEM.
    static String certificate(String name) {
        Command.Result made = Command.run(
                List.of(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:prime256v1",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=" + name,
                        "-addext",
                        "subjectAltName=DNS:" + name,
                        "-keyout",
                        "-"),
                "");
        if (!made.succeeded()) {
            throw new IllegalStateException(made.errors());
        }
        return made.output();
    }

    /// The table that nginx serves.
    RouteTable applied() {
        return controller.applied().orElseThrow();
    }

    Snapshot snapshot() {
        return snapshot;
    }

    void offer(Snapshot newer) {
        snapshot = newer;
        snapshots.offer(newer);
    }

    void apply(String yaml) {
        offer(with(snapshot, yaml));
    }

    static Snapshot with(Snapshot before, String yaml) {
        Snapshot after = before;
        for (JsonNode document : Yaml.parseAll(yaml)) {
            after = after.with(object(document));
        }
        return after;
    }

    static KubernetesObject object(JsonNode document) {
        Kind kind = Kind.find(Json.text(document, "apiVersion"), Json.text(document, "kind"))
                .orElseThrow();
        ObjectNode object = (ObjectNode) document.deepCopy();
        if (kind.namespaced() && !object.withObject("metadata").has("namespace")) {
            object.withObject("metadata").put("namespace", "default");
        }
        return KubernetesObject.of(kind, object).orElseThrow();
    }

    /// What curl says: the code, the redirect and the body.
    static String curl(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "curl",
                "-sk",
                "--max-time",
                "10",
                "-w",
                "\n%{http_code} %{redirect_url} %{http_version}",
                "--connect-to",
                "::127.0.0.1:"));
        words.addAll(List.of(more));
        return Command.run(words, "").output();
    }

    static void until(String what, java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(20))
                .until(condition);
    }

    /// How often nginx has reloaded, once what was put off has been done: reloads keep a distance of 100 ms.
    long settledReloads() {
        AtomicLong seen = new AtomicLong(controller.reloads());
        Awaitility.await("reloads are over")
                .during(Duration.ofMillis(600))
                .atMost(Duration.ofSeconds(20))
                .until(() -> seen.getAndSet(controller.reloads()) == controller.reloads());
        return controller.reloads();
    }

    long pid() {
        try {
            return Long.parseLong(Files.readString(folder.resolve("nginx.pid")).strip());
        } catch (IOException | NumberFormatException _) {
            return -1;
        }
    }

    /// Ends the loops of the controller, as its death would; nginx is left as it is.
    void abandon() {
        tasks.close();
    }

    /// A new controller for the same folder.
    Door successor() {
        abandon();
        tasks = new TaskGroup("none");
        return new Door(folder);
    }

    @Override
    public void close() throws IOException {
        tasks.close();
        try {
            controller.drain(Duration.ofSeconds(3));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
