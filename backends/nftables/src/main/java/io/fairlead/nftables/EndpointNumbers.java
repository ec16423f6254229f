package io.fairlead.nftables;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ServicePortName;
import java.util.Set;

/// The numbers under which the kernel remembers who got which endpoint. Pure.
///
/// They are made from what they name, so the same endpoint has the same number after every change and every restart,
/// and nobody has to keep a list. Two ports with one number only make a client that uses both choose again: where an
/// endpoint is looked up, the frontend is a part of the key.
final class EndpointNumbers {
    /// Endpoints for whoever comes.
    static final int COMMON = 0;

    /// Endpoints for those outside, where those inside have others: a note for the one is none for the other. Nor
    /// is one from before, when all had the same: a client outside may have it, and it may lead to another node.
    static final int OUTSIDE = 0b10 << 30;

    static final int INSIDE = 0b11 << 30;

    private EndpointNumbers() {}

    static Bytes ofPort(ServicePortName port) {
        return Bytes.number(
                mixed(port.toString().hashCode() * 31 + port.protocol().number()));
    }

    /// The number of an endpoint, other than those that are `taken`, which it joins.
    static int of(IpPort endpoint, int side, Set<Integer> taken) {
        long low = endpoint.ip().low();
        int address = mixed((int) low ^ mixed((int) (low >>> 32)))
                ^ mixed(Long.hashCode(endpoint.ip().high()));
        int free = side == COMMON ? Integer.MAX_VALUE : Integer.MAX_VALUE >>> 1; // the bits that tell no side
        int number = (mixed(address + endpoint.port()) & free) | side;
        while (!taken.add(number)) {
            number = ((number + 1) & free) | side;
        }
        return number;
    }

    /// Spreads the bits, as the end of MurmurHash3 does; no two numbers give the same.
    private static int mixed(int number) {
        int mixed = (number ^ (number >>> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
        return mixed ^ (mixed >>> 16);
    }
}
