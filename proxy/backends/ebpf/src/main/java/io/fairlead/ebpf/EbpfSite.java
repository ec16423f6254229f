package io.fairlead.ebpf;

/// Where the programs of one node work.
///
/// @param group the folder of the control group (version 2) whose processes they see, those of groups below it too
/// @param pins the folder, in a BPF file system, where the maps and the attachments outlive the process
public record EbpfSite(String group, String pins) {}
