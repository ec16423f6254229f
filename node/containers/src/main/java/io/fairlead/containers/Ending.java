package io.fairlead.containers;

/// How a process ended; 128 + n is what signal n leaves behind.
public record Ending(int exitCode, String reason) {
    /// The process was not our child, so the kernel did not tell us; the words are those of Kubernetes.
    public static final Ending UNKNOWN = new Ending(137, "ContainerStatusUnknown");

    public static Ending of(int exitCode) {
        return new Ending(exitCode, exitCode == 0 ? "Completed" : "Error");
    }
}
