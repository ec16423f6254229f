package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import java.util.Optional;
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
    void settle(PodRecord now, Optional<Pod> pod) throws InterruptedException {
        PodRecord before = ledger.record();
        PodRecord told = now;
        for (ContainerRecord container : now.containers()) {
            if (hasEnded(container, before)) {
                node.programming().logs().finish(ledger.log(container, 0));
                told = told.with(container.name(), c -> withWords(c, pod));
            }
        }
        ledger.update(told);
        for (ContainerRecord container : now.containers()) {
            if (container.now() instanceof State.Exited exited && hasEnded(container, before)) {
                node.runtime().remove(node.sandbox(now).container(container.name(), container.restarts()));
                LOG.info(
                        "event=container-ended pod={} container={} exit-code={}",
                        now.key(),
                        container.name(),
                        exited.exitCode());
            }
        }
    }

    private static boolean hasEnded(ContainerRecord container, PodRecord before) {
        return container.now() instanceof State.Exited && !before.containers().contains(container);
    }

    /// One that failed without a word may have said why in its log.
    private ContainerRecord withWords(ContainerRecord container, Optional<Pod> pod) {
        boolean asks = container.now() instanceof State.Exited exited
                && exited.exitCode() != 0
                && exited.message().isEmpty()
                && pod.flatMap(known -> Hooks.find(known, container.name()))
                        .filter(spec -> spec.settings().terminationMessage().fallsBackToLogs())
                        .isPresent();
        return asks ? container.withLastWords(LastWords.ofLog(ledger.log(container, 0))) : container;
    }
}
