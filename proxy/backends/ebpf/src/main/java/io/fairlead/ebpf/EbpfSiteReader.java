package io.fairlead.ebpf;

import io.fairlead.kernel.ControlGroup;
import java.nio.file.Path;

/// Reads where the programs of this node work.
public final class EbpfSiteReader {
    private EbpfSiteReader() {}

    /// What the variable [EbpfSite#GROUP] names; every process of the machine where it is not set.
    public static EbpfSite ofEnvironment() {
        return EbpfSite.of(System.getenv().getOrDefault(EbpfSite.GROUP, ""));
    }

    /// The folder of a site's group; the root must be mounted.
    static Path folder(EbpfSite site) {
        Path group = Path.of(site.group());
        return ControlGroup.findRoot()
                .map(root -> group.startsWith(root.path())
                        ? group
                        : root.path().resolve(site.group().replaceFirst("^/+", "")))
                .orElse(group);
    }
}
