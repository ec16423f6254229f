package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.client.ApiException;
import io.fairlead.containers.DownwardFields;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.VolumeFiles;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets the files of a pod's volumes follow what they show, and renews tokens, as long as `wanted` has the pod run.
record VolumeRefresh(NodeParts node, PodLedger ledger, VolumeFiles volumes, Supplier<Optional<Pod>> wanted) {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeRefresh.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(PERIOD);
            Optional<Pod> pod = wanted.get();
            if (pod.isPresent() && ledger.record().isRunning()) {
                refresh(pod.get());
            }
        }
    }

    private void refresh(Pod pod) throws InterruptedException {
        PodRecord record = ledger.record();
        try {
            volumes.fill(
                    pod,
                    new DownwardFields(pod, record.addresses(), node.config().addresses()));
        } catch (NodeException | ApiException e) {
            LOG.warn("event=volumes-not-refreshed pod={} reason=\"{}\"", record.key(), e.getMessage());
        }
    }
}
