/// Deployments, ReplicaSets, StatefulSets and DaemonSets: the pods they want, and their status. Pure.
///
/// ```
///  Deployment ─► ReplicaSet ─► Pod        StatefulSet ─► Pod web-0, web-1, …        DaemonSet ─► a Pod on each node
/// ```
///
/// The API server deletes what lost its owner.
@NullMarked
package io.fairlead.workloads;

import org.jspecify.annotations.NullMarked;
