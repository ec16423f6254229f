package io.fairlead.bench;

import io.fairlead.kernel.Command;
import io.fairlead.kernel.Command.Result;
import io.fairlead.testkit.EtcdCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A server on three members of etcd, all on the loopback of a network namespace that is the bench's own.
final class EtcdSite implements FaultSite {
    private static final int MEMBERS = 3;
    private static final String TABLE = "inet fairlead-kills";

    private final EtcdCluster etcd;
    private final ServerProcess server;
    private int next;
    private int cuts;

    private EtcdSite(EtcdCluster etcd, ServerProcess server) {
        this.etcd = etcd;
        this.server = server;
    }

    static EtcdSite start(String... jvmOptions) throws IOException, InterruptedException {
        EtcdCluster etcd = EtcdCluster.start(MEMBERS, Path.of(System.getProperty("java.io.tmpdir")));
        try {
            return new EtcdSite(etcd, ServerProcess.start("etcd:" + etcd.addresses(), jvmOptions));
        } catch (IOException | RuntimeException e) {
            etcd.close();
            throw e;
        }
    }

    @Override
    public ServerProcess server() {
        return server;
    }

    @Override
    public Map<FaultKind, Strike> strikes() {
        Map<FaultKind, Strike> all = ServerFaults.of(server);
        all.put(FaultKind.ETCD_KILL, _ -> {
            etcd.kill(next);
            etcd.run(next);
            next = (next + 1) % MEMBERS;
        });
        all.put(FaultKind.QUORUM, this::loseQuorum);
        all.put(FaultKind.CUT, this::cut);
        return all;
    }

    /// Each third is longer than etcd's clients wait for an answer to a write.
    private long millis(Random random, int number) {
        return number % 3 == 2 ? 9_000 : random.nextLong(50, 2_000);
    }

    private void loseQuorum(Random random) throws InterruptedException {
        int stays = random.nextInt(MEMBERS);
        try {
            for (int i = 0; i < MEMBERS; i++) {
                if (i != stays) {
                    etcd.signal(i, "STOP");
                }
            }
            Thread.sleep(millis(random, cuts++));
        } finally {
            for (int i = 0; i < MEMBERS; i++) {
                etcd.signal(i, "CONT");
            }
        }
    }

    /// No packet passes, and neither side hears that a connection ended, as behind a pulled cable.
    private void cut(Random random) throws InterruptedException {
        requireOwnNetwork();
        String ports = Stream.of(etcd.addresses().split(",", -1))
                .map(address -> Integer.toString(URI.create(address).getPort()))
                .collect(Collectors.joining(", "));
        nft("""
            table %s {
              chain output {
                type filter hook output priority 0;
                tcp dport { %s } drop
                tcp sport { %s } drop
              }
            }
            """.formatted(TABLE, ports, ports));
        try {
            Thread.sleep(millis(random, cuts++));
        } finally {
            nft("delete table " + TABLE);
        }
    }

    private static void nft(String script) {
        Result result = Command.run(List.of("nft", "-f", "-"), script);
        if (!result.succeeded()) {
            throw new IllegalStateException("nft: " + result.errors());
        }
    }

    /// The machine's own network gets no rule: a namespace of ours has no interface but loopback.
    private static void requireOwnNetwork() {
        try {
            if (NetworkInterface.networkInterfaces()
                    .anyMatch(one -> !one.getName().equals("lo"))) {
                throw new IllegalStateException("cuts are made in a network namespace without a way out only");
            }
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
        etcd.close();
    }
}
