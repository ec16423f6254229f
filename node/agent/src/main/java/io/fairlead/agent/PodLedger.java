package io.fairlead.agent;

import io.fairlead.containers.ContainerRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What is written down of one pod while it is on this node. Its worker alone writes; any thread may read.
final class PodLedger {
    private final NodeParts node;
    private volatile PodRecord record;
    private volatile boolean closed;

    PodLedger(NodeParts node, PodRecord record) {
        this.node = node;
        this.record = record;
    }

    PodRecord record() {
        return record;
    }

    /// What is done is written down at once.
    void update(PodRecord newer) {
        node.state().save(newer);
        record = newer;
    }

    /// Forgets the pod on disk; its addresses may be another pod's from now on.
    void erase() {
        node.state().remove(record);
        node.addresses().release(record.addresses());
        record = record.withAddresses(List.of());
    }

    /// The pod is gone altogether.
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isOnHostNetwork() {
        return record.addresses().equals(node.config().addresses());
    }

    Path folder() {
        return node.state().folder(record);
    }

    /// The log of the container's run now, or of one so many runs back.
    Path log(ContainerRecord container, int back) {
        return node.state().log(record, container.name(), container.restarts() - back);
    }

    /// The pod as others may see it.
    PodView view() {
        PodRecord now = record;
        return new PodView(
                now.key(),
                isOnHostNetwork() ? "" : now.names().namespace(),
                now.addresses(),
                now.containers().stream().map(this::view).toList());
    }

    private PodView.Container view(ContainerRecord container) {
        Path socket = node.sandbox(record).terminal(container.name());
        return new PodView.Container(
                container.name(),
                () -> isRunning(container.name()),
                container.isRunning()
                        ? node.runtime().find(node.sandbox(record).container(container.name(), container.restarts()))
                        : Optional.empty(),
                log(container, 0),
                log(container, 1),
                Files.exists(socket) ? Optional.of(socket) : Optional.empty());
    }

    private boolean isRunning(String container) {
        return !closed
                && record.find(container).filter(ContainerRecord::isRunning).isPresent();
    }
}
