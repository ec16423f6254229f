package io.fairlead.agent;

import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done when a container of a pod has ended: its log is completed, and what the runtime has of it goes.
record ContainerEnds(NodeParts node, PodLedger ledger) {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerEnds.class);

    /// Goes on with the logs of containers that an agent before this one started.
    void openLogs() {
        ledger.record().containers().stream()
                .filter(ContainerRecord::isRunning)
                .forEach(container -> node.programming().logs().open(ledger.log(container, 0)));
    }

    /// Looks after those that ended since the ledger was written, and writes that down.
    void settle(PodRecord now) throws InterruptedException {
        PodRecord before = ledger.record();
        ledger.update(now);
        for (ContainerRecord container : now.containers()) {
            if (container.now() instanceof State.Exited exited
                    && !before.containers().contains(container)) {
                node.programming().logs().finish(ledger.log(container, 0));
                node.runtime().remove(node.sandbox(now).container(container.name(), container.restarts()));
                LOG.info("pod={} container={} exitCode={} ended", now.key(), container.name(), exited.exitCode());
            }
        }
    }
}
