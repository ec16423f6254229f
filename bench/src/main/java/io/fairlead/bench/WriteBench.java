package io.fairlead.bench;

import io.fairlead.access.Pki;
import io.fairlead.api.IpPort;
import io.fairlead.testkit.EtcdCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.net.SocketFactory;

/// Service creates a second with 32 clients, each on a TLS connection of its own, with the administrator's certificate:
/// on SQLite with synchronous=FULL, and on etcd beside what the same etcd gives a client that only writes the same
/// keys.
///
/// These two take turns, each with an etcd that no other client writes to: what a machine can do changes by a third
/// within a minute where it is shared.
///
/// `server_cpu_us` is the time on a processor that one create takes in the server, `cpu_us` in the server, its
/// client and etcd together: where others use the machine too, they say more than the rate.
public final class WriteBench {
    static final String HEADER =
            "store,clients,creates_per_s,server_cpu_us,cpu_us,bare_creates_per_s,bare_cpu_us,ratio,bar";

    // As the launcher gives them to a server.
    private static final String SHIPPED = "-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:MetaspaceSize=64m -Xms16m"
            + " -XX:+UseTransparentHugePages";

    // On two processors that are busy the compiler needs so long: after 90 s it still has a twentieth of them.
    private static final int WARM_UP_SECONDS = Integer.getInteger("warm.up", 120);
    private static final int SECONDS = Integer.getInteger("seconds", 20);
    private static final int TURN_SECONDS = 2;

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
                bench.onSqlite();
            }
            if (!only.equals("sqlite")) {
                bench.onEtcd();
            }
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void onSqlite() throws IOException, InterruptedException {
        try (ServerProcess server = server("sqlite:" + folder.resolve("store.db"));
                WriteLoad creates = creates(server)) {
            creates.warmUp(WARM_UP_SECONDS);
            creates.measure(SECONDS);
            System.out.printf("sqlite,%s,,,,2000%n", result(creates));
        }
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void onEtcd() throws IOException, InterruptedException {
        try (EtcdCluster one = EtcdCluster.start(1, folder);
                EtcdCluster other = EtcdCluster.start(1, folder);
                BareEtcd etcd = BareEtcd.connect(one.addresses());
                WriteLoad bare = new WriteLoad(etcd::client, () -> 0);
                ServerProcess server = server("etcd:" + other.addresses());
                WriteLoad creates = creates(server)) {
            bare.warmUp(WARM_UP_SECONDS / 3); // it is small, and soon compiled
            creates.warmUp(WARM_UP_SECONDS);
            for (int turn = 0; turn < SECONDS / TURN_SECONDS; turn++) {
                bare.measure(TURN_SECONDS);
                creates.measure(TURN_SECONDS);
            }
            double ratio = creates.perSecond() / bare.perSecond();
            System.out.printf(
                    "etcd,%s,%.0f,%.0f,%.2f,0.8%n", result(creates), bare.perSecond(), bare.allMicros(), ratio);
        }
    }

    private static String result(WriteLoad creates) {
        return "%d,%.0f,%.0f,%.0f"
                .formatted(WriteLoad.CLIENTS, creates.perSecond(), creates.serverMicros(), creates.allMicros());
    }

    private ServerProcess server(String store) throws IOException {
        String[] flags = System.getProperty("server.flags", SHIPPED).split(" ");
        return ServerProcess.startGuarded(store, folder.resolve("pki"), flags);
    }

    private WriteLoad creates(ServerProcess server) throws IOException {
        SocketFactory sockets = AdministratorTls.sockets(Pki.open(folder.resolve("pki")));
        return new WriteLoad(
                () -> new ServiceCreator(server.at(), sockets),
                () -> server.cpu().toNanos());
    }

    private record ServiceCreator(RawHttp http) implements WriteLoad.Client {
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
}
