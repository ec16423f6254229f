package io.fairlead.forwarding;

/// What is known of the address of a frontend, and of the policy that led to its verdict.
///
/// @param refusesOtherPorts whether the address is on no machine, so that a connection to a port of it that has no row
///     is refused
/// @param inServiceNetwork whether what is said of the networks of Services holds for it: it is in one of them, or none
///     is known. Only the mode iptables reads it, which writes one rule a network
/// @param staysOnNode whether the verdict comes of a policy that keeps connections on this node. Only the mode iptables
///     reads it: the names of its chains depend on it
public record AddressTraits(boolean refusesOtherPorts, boolean inServiceNetwork, boolean staysOnNode) {}
