/// The heart, pure: what the Services of a cluster mean on one node, and the door of the backends.
///
/// ```
///  Snapshot ──at──► ForwardingTable ──at──► Program ──between──► Patch ──► Backend.apply
///                   rows by Service         entries, claimed     what
///                   (Frontend → Verdict)    by Services          differs
/// ```
///
/// Each step takes the value before it and the result of the round before, and touches only the Services that
/// changed: a [ForwardingTable] knows its Snapshot, a [Program] knows its table. `ServiceRows` and `Targets` hold
/// the semantics of Kubernetes; the code behind them does not know what a Service is.
@NullMarked
package io.fairlead.forwarding;

import org.jspecify.annotations.NullMarked;
