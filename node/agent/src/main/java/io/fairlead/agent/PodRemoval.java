package io.fairlead.agent;

import io.fairlead.api.Kind;
import io.fairlead.client.ApiException;
import io.fairlead.client.Deletion;
import io.fairlead.containers.ContainerId;
import io.fairlead.containers.VolumeFiles;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.Mounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes away what is left of a pod in which nothing runs: network, files, addresses, and at last its object.
record PodRemoval(NodeParts node, PodLedger ledger, VolumeFiles volumes) {
    private static final Logger LOG = LoggerFactory.getLogger(PodRemoval.class);

    void remove(DesiredState wanted) throws InterruptedException {
        PodRecord record = ledger.record();
        for (ContainerId id : node.runtime().list(record.names().folder())) {
            node.runtime().remove(id);
        }
        node.network().remove(record);
        volumes.remove();
        Mounts.below(ledger.folder()).forEach(Mounts::detach);
        Cgroups.remove(node.host().machine().cgroup() + "/" + record.names().folder());
        node.programming().logs().forget(ledger.folder());
        ledger.erase();
        if (wanted instanceof DesiredState.Terminate) {
            deleteObject(record);
        }
        ledger.close();
        LOG.info("event=pod-removed pod={}", record.key());
    }

    private void deleteObject(PodRecord record) throws InterruptedException {
        try {
            node.api().delete(Kind.POD, record.key(), new Deletion(0, record.uid()));
        } catch (ApiException e) {
            if (!e.isNotFound() && !e.isConflict()) { // a conflict: the name is another pod's already
                throw e;
            }
        }
    }
}
