package io.fairlead.conformance;

import io.fairlead.testkit.EtcdCluster;
import java.io.IOException;
import java.nio.file.Path;

/// `fairlead server` over an etcd of its own.
record EtcdRun(EtcdCluster etcd, ServerRun server) implements AutoCloseable {
    static EtcdRun start(int members, Path folder) throws IOException, InterruptedException {
        EtcdCluster etcd = EtcdCluster.start(members);
        boolean started = false;
        try {
            ServerRun server = ServerRun.start(folder, "--store", "etcd:" + etcd.addresses());
            started = true;
            return new EtcdRun(etcd, server);
        } finally {
            if (!started) {
                etcd.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (etcd) {
            server.close();
        }
    }
}
