package io.fairlead.containers;

/// One run of one container of one pod: `sandbox` is the pod's own name on this node.
public record ContainerId(String sandbox, String container, int restarts) {
    /// As the runtime calls it, and the folder of its bundle.
    @Override
    public String toString() {
        return "%s.%s".formatted(sandbox, folder());
    }

    String folder() {
        return "%s.%d".formatted(PodNames.safe(container), restarts);
    }
}
