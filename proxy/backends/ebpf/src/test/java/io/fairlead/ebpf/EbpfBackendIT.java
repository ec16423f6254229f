package io.fairlead.ebpf;

import io.fairlead.testkit.DurableContract;
import io.fairlead.testkit.RequiresRoot;

/// The contract of the backends, with a control group and a BPF file system of its own.
@RequiresRoot
final class EbpfBackendIT implements DurableContract<EbpfEntry> {
    @Override
    public Machine<EbpfEntry> machine() {
        return new CgroupMachine();
    }
}
