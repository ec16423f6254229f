package io.fairlead.nftables;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ServicePortName;
import java.util.Set;

/// The numbers under which the kernel remembers who got which endpoint. Pure.
///
/// They are made from what they name, so the same endpoint has the same number after every change and every restart,
/// and the proxy keeps no list. Two ports with one number only make a client that uses both choose again: where an
/// endpoint is looked up, the frontend is a part of the key.
final class EndpointNumbers {
    private EndpointNumbers() {}

    static Bytes ofPort(ServicePortName port) {
        return Bytes.number(
                mixed(port.toString().hashCode() * 31 + port.protocol().number()));
    }

    /// The number of an endpoint, other than those that are `taken`, which it joins.
    static int of(IpPort endpoint, Set<Integer> taken) {
        long low = endpoint.ip().low();
        int address = mixed((int) low ^ mixed((int) (low >>> 32)))
                ^ mixed(Long.hashCode(endpoint.ip().high()));
        int number = mixed(address + endpoint.port());
        while (!taken.add(number)) {
            number++;
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
