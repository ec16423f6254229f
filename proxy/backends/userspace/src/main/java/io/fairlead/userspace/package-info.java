/// The mode userspace: a relay of TCP and UDP in this process, and the rules that lead connections to it.
///
/// ```
///  rows ─► UserspaceCompiler ─► entries ─► Patch ─► UserspaceApplier ─┬─► nft, or iptables: redirect
///                                                                     └─► Routes
///  client ══► redirect ══► RelayServer ─► Routes ─► Balancer ═════════════► target
/// ```
@NullMarked
package io.fairlead.userspace;

import org.jspecify.annotations.NullMarked;
