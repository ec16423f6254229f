package io.fairlead.commands;

import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.TaskGroup;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `fairlead rehearse`: does once, on this machine's loopback, what programs do when they start.
///
/// The launcher runs it after a build, while the JVM takes notes for its cache of loaded classes, with which
/// every later start is quicker. It runs a control plane and client commands for real, and as root a proxy in a
/// network namespace of its own; of the other programs that need root it loads the classes.
@Command(
        name = "rehearse",
        hidden = true,
        description = "Start and stop everything once in DIRECTORY; the launcher does this after a build.",
        footer = {"", "Example:", "  fairlead rehearse /tmp/rehearsal"})
final class RehearseCommand implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String SAMPLE = """
        apiVersion: v1
        kind: Service
        metadata: {name: hello, labels: {app: hello}}
        spec: {type: NodePort, selector: {app: hello}, ports: [{port: 80}]}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: hello}
        spec:
          selector: {matchLabels: {app: hello}}
          template:
            metadata: {labels: {app: hello}}
            spec: {containers: [{name: echo, image: fairlead/echo}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: by-hand}
        spec: {ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: by-hand-1, labels: {kubernetes.io/service-name: by-hand}}
        addressType: IPv4
        ports: [{name: http, port: 8080}, {name: dns, port: 53, protocol: UDP}]
        endpoints:
          - {addresses: [10.1.0.1], conditions: {ready: true}, nodeName: one, targetRef: {kind: Pod, name: a, uid: b}}
          - {addresses: [10.1.0.2], conditions: {ready: true}, nodeName: two, zone: z, hostname: h}
        """;

    @Parameters(paramLabel = "DIRECTORY", description = "Where to work; it is made, and left to the caller.")
    private Path dir = Path.of("");

    private final CountDownLatch ended = new CountDownLatch(1);

    RehearseCommand(Main main) {}

    @Override
    public void run() {
        Logs.onlyWarnings();
        try (var tasks = new TaskGroup("rehearsal")) {
            tasks.run("server", this::serve);
            awaitKubeconfig();
            Path file = Files.writeString(dir.resolve("hello.yaml"), SAMPLE);
            play("apply", "-f", file.toString(), "--kubeconfig", kubeconfig().toString());
            new ProxyRehearsal(kubeconfig()).run();
            List.of(
                            List.of("get", "services,deployments", "-A"),
                            List.of("get", "services", "-o", "yaml"),
                            List.of("scale", "deployment", "hello", "--replicas", "0"),
                            List.of("delete", "-f", file.toString()))
                    .forEach(words -> play(Stream.concat(
                                    words.stream(),
                                    Stream.of("--kubeconfig", kubeconfig().toString()))
                            .toArray(String[]::new)));
            Commands.names().forEach(name -> play(name, "--help"));
            loadClasses();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path kubeconfig() {
        return dir.resolve("kubeconfig");
    }

    private void serve() {
        try {
            play("server", "--dir", dir.toString(), "--bind", "127.0.0.1:0");
        } finally {
            ended.countDown();
        }
    }

    private void awaitKubeconfig() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(kubeconfig())) {
            if (ended.await(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new CommandException("error: no server came up in " + dir);
            }
        }
    }

    private static void play(String... args) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        int code = Main.commandLine(args).setOut(nowhere).execute(args);
        if (code != 0) {
            throw new CommandException("error: the rehearsal of \"%s\" failed".formatted(String.join(" ", args)));
        }
    }

    /// Our own classes, from the jars we run from.
    private static void loadClasses() throws IOException {
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (element.endsWith(".jar")) {
                try (JarFile jar = new JarFile(element)) {
                    jar.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.startsWith("io/fairlead/") && name.endsWith(".class"))
                            .filter(name -> !name.endsWith("package-info.class"))
                            .forEach(RehearseCommand::load);
                }
            }
        }
    }

    private static void load(String file) {
        String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
        try {
            Class.forName(name, false, RehearseCommand.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " is in a jar on the class path, but not found", e);
        }
    }
}
