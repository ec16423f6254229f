package io.fairlead.sync;

import io.fairlead.ebpf.EbpfSite;
import io.fairlead.ebpf.EbpfSiteReader;
import io.fairlead.ipvs.IpvsOptions;

/// How single modes are set up, should they be chosen.
///
/// @param ipvs the mode ipvs
/// @param ebpf where the layer ebpf works
public record ModeOptions(IpvsOptions ipvs, EbpfSite ebpf) {
    /// As kube-proxy has them, and where the environment of this process says.
    public static ModeOptions usual() {
        return of(IpvsOptions.DEFAULT);
    }

    public static ModeOptions of(IpvsOptions ipvs) {
        return new ModeOptions(ipvs, EbpfSiteReader.ofEnvironment());
    }
}
