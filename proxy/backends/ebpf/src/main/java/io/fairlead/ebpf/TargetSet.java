package io.fairlead.ebpf;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Target;
import java.util.List;

/// The targets of a frontend, one a slot, under a number that comes of what they are.
///
/// A set never changes: other slots have another number. So a frontend passes from one to another in one write, and
/// no client sees half of each.
record TargetSet(Protocol protocol, List<Target> slots) {
    long number() {
        long number = mix(protocol.number());
        for (Target target : slots) {
            IpPort address = target.address();
            Ip ip = address.ip();
            number = mix(number ^ ip.high());
            number = mix(number ^ ip.low());
            number = mix(number ^ ((long) address.port() << 8 | ip.family().bits()));
        }
        return number;
    }

    /// Whether it is a pod of this node, or nothing says where it runs: it may be the client itself.
    static boolean mayBeClient(Target target) {
        return target.local() || target.unplaced();
    }

    boolean hasClients() {
        return slots.stream().anyMatch(TargetSet::mayBeClient);
    }

    AddressKey place(Target target) {
        return new AddressKey(target.address(), protocol);
    }

    /// Spreads every bit of a number over all 64 (the finalizer of SplitMix).
    private static long mix(long number) {
        long z = number + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
