package io.fairlead.bench;

import io.fairlead.access.Pki;
import io.fairlead.api.IpPort;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.EtcdCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.SocketFactory;

/// Service creates a second with 32 clients, each on a TLS connection of its own, with the administrator's certificate:
/// on SQLite with synchronous=FULL, and on etcd beside what the same etcd gives a client that only writes the same
/// keys.
///
/// `server_cpu_us` is the time on a processor that one create takes in the server, `cpu_us` in the server, its
/// client and etcd together: where others use the machine too, they say more than the rate.
public final class WriteBench {
    static final String HEADER =
            "store,clients,creates_per_s,server_cpu_us,cpu_us,bare_creates_per_s,bare_cpu_us,ratio,bar";

    private static final int CLIENTS = 32;
    private static final int WARM_UP_SECONDS = Integer.getInteger("warm.up", 90);
    private static final int SECONDS = Integer.getInteger("seconds", 15);

    /// One client, and its next write.
    interface Client extends AutoCloseable {
        void write(int number) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    interface Clients {
        Client open() throws IOException;
    }

    private record Rate(double perSecond, double serverMicros, double allMicros) {
        @Override
        public String toString() {
            return "%d,%.0f,%.0f,%.0f".formatted(CLIENTS, perSecond, serverMicros, allMicros);
        }
    }

    private final Path folder;

    private WriteBench(Path folder) {
        this.folder = folder;
    }

    /// Arguments: where to make a folder for the stores; and `sqlite` or `etcd` for one of them alone.
    @SuppressWarnings("SystemOut") // the results are the output
    public static void main(String[] args) throws Exception {
        Path place = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
        String only = args.length > 1 ? args[1] : "";
        Path folder = Files.createTempDirectory(place, "fairlead-writes");
        try {
            System.out.println(HEADER);
            WriteBench bench = new WriteBench(folder);
            if (!only.equals("etcd")) {
                Rate rate = bench.served("sqlite:" + folder.resolve("store.db"));
                System.out.printf("sqlite,%s,,,,2000%n", rate);
            }
            if (!only.equals("sqlite")) {
                bench.onEtcd();
            }
        } finally {
            delete(folder);
        }
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void onEtcd() throws IOException, InterruptedException {
        try (EtcdCluster cluster = EtcdCluster.start(1, folder)) {
            Rate bare = bare(cluster);
            Rate rate = served("etcd:" + cluster.addresses());
            double ratio = rate.perSecond / bare.perSecond;
            System.out.printf("etcd,%s,%.0f,%.0f,%.2f,0.8%n", rate, bare.perSecond, bare.allMicros, ratio);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Rate served(String store) throws IOException, InterruptedException {
        Path pki = folder.resolve("pki");
        String[] flags = System.getProperty("server.flags", "-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xms16m")
                .split(" ");
        try (ServerProcess server = ServerProcess.startGuarded(store, pki, flags)) {
            SocketFactory sockets = AdministratorTls.sockets(Pki.open(pki));
            return rate(
                    () -> new ServiceCreator(server.at(), sockets),
                    () -> server.cpu().toNanos());
        }
    }

    private record ServiceCreator(RawHttp http) implements Client {
        private ServiceCreator(IpPort server, SocketFactory sockets) throws IOException {
            this(new RawHttp(server, sockets));
        }

        @Override
        public void write(int number) throws IOException {
            String body = """
                {"metadata":{"name":"web-%d"},"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}}\
                """.formatted(number);
            RawHttp.Reply reply = http.send("POST", "/api/v1/namespaces/default/services", "application/json", body);
            if (reply.code() != 201) {
                throw new IOException("create answered " + reply.code());
            }
        }

        @Override
        public void close() throws IOException {
            http.close();
        }
    }

    private static Rate bare(EtcdCluster cluster) throws IOException, InterruptedException {
        try (BareEtcd etcd = BareEtcd.connect(cluster.addresses())) {
            return rate(etcd::client, () -> 0);
        }
    }

    private interface Cpu {
        long nanos();
    }

    /// Writes a second, of all clients together, once they are warm.
    private static Rate rate(Clients clients, Cpu cpu) throws IOException, InterruptedException {
        AtomicInteger numbers = new AtomicInteger();
        AtomicLong done = new AtomicLong();
        AtomicInteger ended = new AtomicInteger();
        try (TaskGroup tasks = new TaskGroup("clients")) {
            for (int i = 0; i < CLIENTS; i++) {
                Client client = clients.open();
                tasks.run("client" + i, () -> {
                    try (client) {
                        while (true) {
                            client.write(numbers.incrementAndGet());
                            done.incrementAndGet();
                        }
                    } finally {
                        ended.incrementAndGet();
                    }
                });
            }
            Thread.sleep(WARM_UP_SECONDS * 1_000L);
            long before = done.get();
            long server = cpu.nanos();
            long all = allCpu();
            long begin = System.nanoTime();
            Thread.sleep(SECONDS * 1_000L);
            double creates = done.get() - before;
            if (ended.get() > 0) {
                throw new IllegalStateException(ended + " clients could not go on");
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new Rate(
                    creates / seconds, (cpu.nanos() - server) / 1e3 / creates, (allCpu() - all) / 1e3 / creates);
        }
    }

    /// The time on a processor of this process, of the server and of etcd, in nanoseconds.
    private static long allCpu() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants())
                .mapToLong(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }
}
