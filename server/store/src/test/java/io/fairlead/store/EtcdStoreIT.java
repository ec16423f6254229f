package io.fairlead.store;

import io.fairlead.testkit.EtcdCluster;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The contract, with one member of etcd.
final class EtcdStoreIT implements StoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // by start()
    private static EtcdCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        cluster = EtcdCluster.start(1);
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
