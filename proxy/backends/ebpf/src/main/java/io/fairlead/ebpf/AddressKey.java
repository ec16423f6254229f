package io.fairlead.ebpf;

import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;

/// A frontend or a target, as the programs compare it: address, port and protocol.
record AddressKey(IpPort at, Protocol protocol) {
    @Override
    public String toString() {
        return at + "/" + protocol.lowerCase();
    }
}
