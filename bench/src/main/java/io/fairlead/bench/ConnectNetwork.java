package io.fairlead.bench;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Two pods on one node, as network namespaces: nginx answers in the one, wrk asks in the other.
///
/// It is made anew for every number. A server remembers the connections that it closed for a minute, and a client
/// counts time apart for every address that it speaks to: one that comes through a Service, and then straight to the
/// pod, would offer the server ports that it remembers with a clock that seems to go back, and be made to wait.
final class ConnectNetwork implements AutoCloseable {
    static final IpPort TARGET = new IpPort(Ip.parse("10.244.2.2"), 8080);
    private static final String PREFIX = "flconn" + ProcessHandle.current().pid();
    final NetworkNamespace node;
    private final NetworkNamespace client;
    private final NetworkNamespace server;
    private final Path folder;
    private final Process nginx;

    ConnectNetwork() throws IOException {
        node = NetworkNamespace.create(PREFIX + "-node");
        client = NetworkNamespace.create(PREFIX + "-pod1");
        server = NetworkNamespace.create(PREFIX + "-pod2");
        node.sysctl("ipv4/ip_forward", "1");
        attach(1, client);
        attach(2, server);
        client.sysctl("ipv4/ip_local_port_range", "1024 65535");
        folder = Files.createTempDirectory("connect");
        Path file = Files.writeString(folder.resolve("nginx.conf"), configuration(folder));
        nginx = server.start(new ProcessBuilder("nginx", "-p", folder.toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile()));
    }

    /// Requests a second that wrk makes, out of a process of `group` if there is one.
    double requests(Optional<String> group, IpPort to, int seconds, boolean keepAlive) throws IOException {
        awaitServer();
        String url = "http://%s/".formatted(to);
        String wrk = "wrk -t1 -c16 -d%ds %s %s".formatted(seconds, keepAlive ? "" : "-H 'Connection: close'", url);
        String join = group.map("echo $$ >'%s/cgroup.procs' && "::formatted).orElse("");
        Process process = client.start(new ProcessBuilder("sh", "-c", join + "exec " + wrk).redirectErrorStream(true));
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (output.contains("Socket errors")) {
            throw new IllegalStateException(url + ": " + output);
        }
        return output.lines()
                .filter(line -> line.startsWith("Requests/sec:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output));
    }

    private void awaitServer() {
        server.run(() -> {
            for (int attempt = 0; attempt < 500; attempt++) {
                try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), TARGET.port())) {
                    return;
                } catch (IOException _) {
                    LockSupport.parkNanos(10_000_000);
                }
            }
            throw new IllegalStateException("nginx does not listen");
        });
    }

    private static String configuration(Path folder) {
        return """
            worker_processes 1;
            daemon off;
            pid %1$s/pid;
            error_log stderr error;
            events { worker_connections 4096; }
            http {
              access_log off;
              keepalive_requests 100000000;
              server { listen 8080 backlog=4096; location / { return 200 "hello\\n"; } }
            }
            """.formatted(folder);
    }

    private void attach(int number, NetworkNamespace pod) {
        Ip router = Ip.parse("10.244.%d.1".formatted(number));
        in(node, route -> {
            route.addVeth("pod" + number, "eth0", pod);
            route.addAddress("pod" + number, router, 24);
            route.setUp("pod" + number);
        });
        in(pod, route -> {
            route.addAddress("eth0", Ip.parse("10.244.%d.2".formatted(number)), 24);
            route.setUp("eth0");
            route.replaceRoute(new Route(Cidr.parse("0.0.0.0/0"), List.of(router), "eth0"));
        });
    }

    private static void in(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }

    @Override
    public void close() throws IOException {
        nginx.destroy();
        nginx.onExit().join();
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
        for (String name : List.of("log", "nginx.conf", "pid")) {
            Files.deleteIfExists(folder.resolve(name));
        }
    }
}
