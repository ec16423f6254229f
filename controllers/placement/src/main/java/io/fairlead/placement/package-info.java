/// Which node a pod runs on, which nodes live, and what becomes of the pods of those that do not. Pure.
///
/// ```
///  Pod without node ─► Scheduler ─► Write.Bind
///  Node + Lease ─► NodeLifecycle ─► taints ─► TaintEviction ─► Write.Delete
/// ```
@NullMarked
package io.fairlead.placement;

import org.jspecify.annotations.NullMarked;
