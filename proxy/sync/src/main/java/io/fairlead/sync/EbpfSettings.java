package io.fairlead.sync;

import io.fairlead.api.Json;
import io.fairlead.ebpf.EbpfSite;
import io.fairlead.ebpf.EbpfSiteReader;
import tools.jackson.databind.JsonNode;

/// What the section `fairlead` of a `KubeProxyConfiguration` says of the mode ebpf.
final class EbpfSettings {
    private EbpfSettings() {}

    /// Where no control group is named it is the one that the environment of this process names.
    static EbpfSite of(JsonNode tree) {
        JsonNode own = tree.path(IpvsSettings.OWN);
        String group = Json.text(own, "cgroup");
        EbpfSite site = group.isEmpty() ? EbpfSiteReader.ofEnvironment() : EbpfSite.of(group);
        return GoDuration.find(Json.text(own, "resetAfter"))
                .filter(time -> !time.isZero())
                .map(site::withResetAfter)
                .orElse(site);
    }
}
