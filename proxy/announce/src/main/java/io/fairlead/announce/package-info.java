/// Tells the local network which node has a load balancer's address, and answers who asks for it.
///
/// ```
///  Leases of the announcers ─► Liveness ─┐
///  Services, slices, Nodes ──► Wanted ───┴► Election (pure) ─► Tenancy ─► LinkSpeaker ══ ARP, NDP ══► neighbours
///  Heartbeat ─► the Lease of this node                       (AnnounceLoop)     │
///                                                                 ▲── who else claims it ──┘
/// ```
///
/// The address is on no interface: this process alone answers a neighbour that asks, so that the answers end with it.
/// The packets themselves are led by the proxy's program, which every node has.
@NullMarked
package io.fairlead.announce;

import org.jspecify.annotations.NullMarked;
