package io.fairlead.bench;

import static io.fairlead.bench.IngressObjects.ingress;
import static io.fairlead.bench.IngressObjects.slice;

import io.fairlead.api.Snapshot;
import io.fairlead.kernel.Command;
import io.fairlead.nginx.IngressConfig;
import io.fairlead.nginx.IngressController;
import io.fairlead.routes.IngressOwnership;
import io.fairlead.routes.NginxLayout;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Two fronts for the same hosts, ours and one that was set up by hand, and an nginx behind both.
final class IngressSite implements AutoCloseable {
    static final int OURS = 19080;
    static final int BY_HAND = 19081;
    static final int BARE = 19082;

    private static final Duration RELOADS = Duration.ofSeconds(1);

    private final Path folder = Files.createTempDirectory("fl-ingress-bench-");
    private final TaskGroup tasks = new TaskGroup("site");
    private final Latest<Snapshot> snapshots = new Latest<>();
    private final IngressController controller;
    private final SocketEcho sockets = new SocketEcho(IngressObjects.SOCKETS);
    private final List<Process> children = new ArrayList<>();
    private final String certificate = certificate();
    private Snapshot snapshot;

    IngressSite(int ingresses) throws IOException, InterruptedException {
        // Workers of nginx run as another user.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        // Every address of the network is on this machine: each is an endpoint.
        Command.run(List.of("ip", "address", "add", "10.244.1.254/24", "dev", "lo"), "");
        snapshot = IngressObjects.cluster(ingresses);
        children.add(start("behind", "server { listen 8080; location / { return 200 \"$server_addr\\n\"; } }"));
        children.add(start("hand", byHand(ingresses, BY_HAND, true)));
        children.add(start("bare", byHand(ingresses, BARE, false)));
        controller = new IngressController(new IngressConfig(
                new NginxLayout(
                        folder.resolve("ours").toString(), "", "/usr/lib/nginx/modules", true, List.of(), OURS, 0),
                "/usr/sbin/nginx",
                IngressOwnership.DEFAULT,
                certificate,
                IngressConfig.Sources.NONE,
                List.of(),
                "bench",
                RELOADS,
                IngressConfig.MOST_OLD_WORKERS));
        controller.run(snapshots, tasks);
        snapshots.offer(snapshot);
        await(OURS, "10.244.1.1");
        await(BY_HAND, "10.244.1.1");
        await(BARE, "10.244.1.1");
    }

    private static String certificate() {
        return Command.run(
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
                                "/CN=bench",
                                "-keyout",
                                "-"),
                        "")
                .output();
    }

    /// The same routes as one would write them: `full` with the headers and the log that ours has, or bare.
    private static String byHand(int ingresses, int port, boolean full) {
        StringBuilder text = new StringBuilder("server_names_hash_max_size 16384; server_names_hash_bucket_size 128;\n"
                + "map $http_upgrade $upgrade { default upgrade; '' ''; }\n"
                + "upstream hello { server 10.244.1.1:8080; keepalive 320; keepalive_requests 1000000; }\n");
        String headers = """
            proxy_set_header X-Request-ID $request_id; proxy_set_header X-Forwarded-Host $http_host;
            proxy_set_header X-Forwarded-Port $server_port; proxy_set_header X-Forwarded-Scheme $scheme;
            proxy_set_header X-Scheme $scheme; proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $upgrade;
            """;
        for (int i = 0; i < ingresses; i++) {
            text.append("""
                server { listen %d; server_name host-%d.example.com; server_tokens off; location / {
                  proxy_http_version 1.1; proxy_set_header Host $http_host; %s
                  proxy_set_header X-Real-IP $remote_addr; proxy_set_header X-Forwarded-For $remote_addr;
                  proxy_set_header X-Forwarded-Proto $scheme; proxy_buffering off; proxy_pass http://hello; } }
                """.formatted(port, i, full ? headers : "proxy_set_header Connection '';"));
        }
        return text.toString();
    }

    private static final String FULL_LOG = """
        log_format full escape=json '{"time":"$time_iso8601","client":"$remote_addr","method":"$request_method",'
          '"host":"$host","path":"$uri","protocol":"$server_protocol","status":$status,"bytes":$body_bytes_sent,'
          '"seconds":$request_time,"ingress":"default/ingress","service":"default/hello:80",'
          '"target":"$upstream_addr","target_seconds":"$upstream_response_time","agent":"$http_user_agent",'
          '"id":"$request_id"}';
        """;

    // Each front writes a line for each request.
    private Process start(String name, String http) throws IOException {
        String log = name.equals("behind")
                ? "access_log off;"
                : FULL_LOG
                        + "access_log %s/%s.log %s buffer=64k flush=1s;"
                                .formatted(folder, name, name.equals("hand") ? "full" : "combined");
        Path file = Files.writeString(
                folder.resolve(name + ".conf"),
                "daemon off; pid %1$s/%2$s.pid; worker_processes auto; events { worker_connections 4096; }\nhttp { %3$s keepalive_requests 100000000;\n%4$s }\n"
                        .formatted(folder, name, log, http));
        // In a session of its own, as ours is: the kernel shares processors out by session.
        return new ProcessBuilder(
                        "setsid", "/usr/sbin/nginx", "-c", file.toString(), "-e", "stderr", "-p", folder.toString())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .start();
    }

    long reloads() {
        return controller.reloads();
    }

    /// How long it takes until a request reaches the new endpoint of a Service.
    Duration changeEndpoint(int round) throws IOException, InterruptedException {
        int last = 10 + round % 100;
        return change(snapshot.with(slice("hello", 8080, last)), "10.244.1." + last);
    }

    /// How long it takes until a request reaches the other Service of its Ingress.
    Duration changeIngress(int round) throws IOException, InterruptedException {
        String before = answer(OURS);
        boolean other = !before.equals("10.244.1.2");
        Snapshot newer = snapshot.with(slice("hello", 8080, 1 + 2 * (round % 50 + 2)));
        snapshots.offer(newer);
        snapshot = newer;
        return change(
                snapshot.with(ingress(7, other ? "other" : "hello", "", "")),
                other ? "10.244.1.2" : "10.244.1." + (1 + 2 * (round % 50 + 2)));
    }

    private Duration change(Snapshot newer, String expected) throws IOException, InterruptedException {
        snapshot = newer;
        long start = System.nanoTime();
        snapshots.offer(newer);
        await(OURS, expected);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /// How long it takes until an Ingress with options that none had before is served: a reload.
    Duration changeStructure(int round) throws IOException, InterruptedException {
        // How far reloads are apart is not what is measured.
        Thread.sleep(RELOADS.multipliedBy(2));
        boolean other = !answer(OURS).equals("10.244.1.2");
        String options = "\"fairlead.io/proxy-body-size\":\"%dk\"".formatted(5000 + round);
        Snapshot newer =
                snapshot.with(slice("hello", 8080, 3)).with(ingress(7, other ? "other" : "hello", options, ""));
        return change(newer, other ? "10.244.1.2" : "10.244.1.3");
    }

    /// The cluster changes every 50 ms until it is interrupted.
    void churn(boolean structures) throws InterruptedException {
        for (int i = 0; true; i++) {
            snapshot = IngressObjects.step(snapshot, i, certificate, structures);
            snapshots.offer(snapshot);
            Thread.sleep(50);
        }
    }

    Workers ours() {
        return new Workers(folder.resolve("ours/nginx.pid"));
    }

    Workers byHand() {
        return new Workers(folder.resolve("hand.pid"));
    }

    private static void await(int port, String expected) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!answer(port).equals(expected)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "port %d does not lead to %s: %s".formatted(port, expected, answer(port)));
            }
            Thread.sleep(0, 200_000);
        }
    }

    private static String answer(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.0\r\nHost: host-7.example.com\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(text.indexOf("\r\n\r\n") + 4).strip();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        tasks.close();
        sockets.close();
        try {
            controller.drain(Duration.ofSeconds(3));
            for (Process child : children) {
                child.destroy();
                child.waitFor();
            }
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
