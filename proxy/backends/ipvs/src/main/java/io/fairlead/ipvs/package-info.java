/// Compiles to virtual servers of the kernel (IPVS), with sets of addresses and a constant number of rules.
///
/// ```
///  rows ─► IpvsCompiler ─► entries ─► Patch ─► IpvsApplier ─┬─► IpvsMessages ─► generic netlink   virtual and real
/// servers
///                             ▲                             ├─► SetMessages  ─► nfnetlink         members of sets
///                             │                             ├─► RuleText     ─► iptables-restore  the rules, once
///                             └───── IpvsReader ◄─────────────┴─► RouteSocket  ─► rtnetlink         addresses, one
/// rule
/// ```
///
/// A frontend with an address is a virtual server there; a node port, and what insiders get where a policy keeps others
/// on the node, is a virtual server for a mark, which sets of addresses and ports give to packets.
@NullMarked
package io.fairlead.ipvs;

import org.jspecify.annotations.NullMarked;
