package io.fairlead.ebpf;

/// Where the programs of one node work.
///
/// @param group the folder of the control group (version 2) whose processes they see, those of groups below it too
/// @param pins the folder, in a BPF file system, where the maps and the attachments outlive the process
public record EbpfSite(String group, String pins) {
    /// The variable that names the control group of a node's pods and processes.
    public static final String GROUP = "FAIRLEAD_CGROUP";

    private static final String FILES = "/sys/fs/bpf/fairlead_";

    /// The site of the node whose processes are in `group`: each group has maps of its own. No group is no site.
    public static EbpfSite of(String group) {
        return new EbpfSite(group, FILES + group.replaceAll("[^A-Za-z0-9-]", "_"));
    }
}
