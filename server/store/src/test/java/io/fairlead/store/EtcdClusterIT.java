package io.fairlead.store;

import io.fairlead.testkit.EtcdCluster;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The contract, with three members of etcd of which one is dead.
final class EtcdClusterIT implements StoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // by start()
    private static EtcdCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        cluster = EtcdCluster.start(3);
        cluster.kill(0); // the one that is asked first
        Reading.etcd(cluster.addresses(), "/ready").close(); // they have a leader again
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    public Store open() {
        return Reading.etcd(cluster.addresses(), "/test" + PREFIXES.incrementAndGet());
    }
}
