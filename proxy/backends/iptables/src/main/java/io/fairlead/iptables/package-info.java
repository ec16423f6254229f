/// Compiles to the classic chains of iptables, written with iptables-restore.
///
/// ```
///  rows ─► IptablesCompiler ─► entries ─► Patch ─► IptablesText ─► IptablesApplier ─► iptables-restore --noflush
///                                 ▲                                                             │
///                                 └── IptablesText.parse ◄── iptables-save ◄────────────────────┘
///
///  nat  KUBE-SERVICES ─┬─► KUBE-SVC-… ─────────────┬─► KUBE-SEP-…   DNAT to one endpoint
///       KUBE-NODEPORTS ┴─► KUBE-EXT-… ─► KUBE-SVL-… ┘
/// ```
///
/// The chains of a Service are entries of their own, and so is each of its lines in a chain that all Services share:
/// what differs between two Programs is just what has to be written.
@NullMarked
package io.fairlead.iptables;

import org.jspecify.annotations.NullMarked;
