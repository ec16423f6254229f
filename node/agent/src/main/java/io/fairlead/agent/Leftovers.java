package io.fairlead.agent;

import io.fairlead.containers.ContainerId;
import io.fairlead.containers.ContainerRecord;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Containers of a pod that its record does not know as running: an agent was killed before it could write them down.
record Leftovers(NodeParts node, PodLedger ledger) {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    void remove() throws InterruptedException {
        PodRecord record = ledger.record();
        Set<String> known = record.containers().stream()
                .filter(ContainerRecord::isRunning)
                .map(c -> node.sandbox(record).container(c.name(), c.restarts()).toString())
                .collect(Collectors.toSet());
        for (ContainerId id : node.runtime().list(record.names().folder())) {
            if (!known.contains(id.toString()) && !PauseContainer.isNamed(id)) {
                node.runtime().remove(id);
                LOG.info("event=container-removed pod={} container={} reason=\"not written down\"", record.key(), id);
            }
        }
    }
}
