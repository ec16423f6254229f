package io.fairlead.iptables;

import io.fairlead.api.Family;

/// What one of the rules that count packets shows, in one family; it begins anew when its chain is written anew.
public record PacketCount(Family family, Subject subject, long packets) {
    /// Which packets are counted.
    public enum Subject {
        /// Those that connection tracking calls invalid, and that are therefore discarded.
        INVALID_DROPPED,
        /// The first ones of connections to a node port at 127.0.0.1.
        LOCALHOST_ACCEPTED
    }
}
