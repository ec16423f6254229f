package io.fairlead.ebpf;

import java.time.Duration;
import java.util.Optional;

/// Where the programs of one node work.
///
/// @param group the control group (version 2) whose processes they see, those of groups below it too: a folder, or a
/// path
///     below the root of the hierarchy; empty for every process of the machine
/// @param pins the folder, in a BPF file system, where the maps and the attachments outlive the process
/// @param resetAfter how long after its target went a TCP connection is reset; never if empty
public record EbpfSite(String group, String pins, Optional<Duration> resetAfter) {
    /// The variable that names the control group of a node's pods and processes.
    public static final String GROUP = "FAIRLEAD_CGROUP";

    private static final String FILES = "/sys/fs/bpf/fairlead_";

    /// One that resets no connection.
    public EbpfSite(String group, String pins) {
        this(group, pins, Optional.empty());
    }

    /// The site of the node whose processes are in `group`: each group has maps of its own.
    public static EbpfSite of(String group) {
        return new EbpfSite(group, FILES + group.replaceAll("[^A-Za-z0-9-]", "_"));
    }

    /// With the maps and attachments below a folder of the node's own.
    public EbpfSite withPins(String folder) {
        return new EbpfSite(group, folder + "/bpf/node", resetAfter);
    }

    public EbpfSite withResetAfter(Duration time) {
        return new EbpfSite(group, pins, Optional.of(time));
    }
}
