package io.fairlead.commands;

import io.fairlead.kernel.RouteSocket;
import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `fairlead rehearse-proxy`: `fairlead proxy`, from its start to the first change, against a control plane that is
/// another process.
///
/// So the JVM notes what a proxy needs and nothing else: a proxy with a cache of its own is smaller by a quarter, and
/// starts sooner, than with the cache of everything.
@Command(
        name = "rehearse-proxy",
        hidden = true,
        description = "Start and stop a proxy once in DIRECTORY; the launcher does this before the first one.",
        footer = {"", "Example:", "  unshare --net fairlead rehearse-proxy /tmp/rehearsal"})
final class RehearseProxyCommand implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int HEALTH_PORT = 10256;
    private static final int METRICS_PORT = 10249;

    @Parameters(paramLabel = "DIRECTORY", description = "Where to work; it is made, and left to the caller.")
    private Path dir = Path.of("");

    RehearseProxyCommand(Main main) {}

    @Override
    public void run() {
        try {
            try (RouteSocket route = RouteSocket.open()) {
                route.setUp("lo");
            }
            refuseToPlayAtHome();
            Process server = start("server", "--dir", dir.toString(), "--bind", "127.0.0.1:6443");
            try {
                rehearse();
            } finally {
                server.destroy();
                server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The proxy writes rules where it runs, and must not write any where the machine's own traffic goes.
    private static void refuseToPlayAtHome() throws IOException {
        for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
            if (card.isUp() && !card.isLoopback()) {
                throw new CommandException(
                        "error: a proxy is rehearsed where no traffic is (unshare --net), but here is "
                                + card.getName());
            }
        }
    }

    private void rehearse() throws IOException, InterruptedException {
        await("a server", () -> Files.exists(kubeconfig()));
        apply(RehearseCommand.SAMPLE);
        try (var tasks = new TaskGroup("rehearsal")) {
            tasks.run("proxy", this::playProxy);
            await("a programmed proxy", () -> page(HEALTH_PORT, "/healthz").startsWith("HTTP/1.1 200"));
            apply(RehearseCommand.SAMPLE.replace("10.1.0.2", "10.1.0.3"));
            await("a change", () -> hasSynced(2));
        }
    }

    private static boolean hasSynced(int times) {
        return page(METRICS_PORT, "/metrics")
                .lines()
                .filter(line -> line.startsWith("kubeproxy_sync_proxy_rules_duration_seconds_count"))
                .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) >= times);
    }

    private void playProxy() {
        String[] args = {
            "proxy",
            "--kubeconfig",
            kubeconfig().toString(),
            "--hostname-override",
            "rehearsal",
            "--proxy-mode",
            "nftables",
            "--cluster-cidr",
            "10.1.0.0/16"
        };
        Main.commandLine(args).setOut(new PrintWriter(Writer.nullWriter())).execute(args);
    }

    private void apply(String manifest) throws IOException, InterruptedException {
        Path file = Files.writeString(dir.resolve("sample.yaml"), manifest);
        Process apply = start(
                "apply", "-f", file.toString(), "--kubeconfig", kubeconfig().toString());
        if (!apply.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || apply.exitValue() != 0) {
            throw new CommandException("error: the sample could not be applied; the log is " + log());
        }
    }

    private Process start(String... words) throws IOException {
        Files.createDirectories(dir);
        List<String> command = new ArrayList<>(Launcher.of(dir).program());
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path log() {
        return dir.resolve("rehearsal.log");
    }

    private Path kubeconfig() {
        return dir.resolve("kubeconfig");
    }

    private interface Condition {
        boolean holds();
    }

    private void await(String what, Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new CommandException("error: %s did not come; the log is %s".formatted(what, log()));
            }
            Thread.sleep(20);
        }
    }

    /// A page of the proxy; nothing while it does not listen.
    private static String page(int port, String path) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                InputStream in = socket.getInputStream()) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
