/// What keeps the cluster as its users want it: pure functions from a Snapshot to writes, and one runner.
///
/// ```
///  Latest<Snapshot> ─► ControllerRunner ─► Controller.changed(before, now) ─► keys
///                        │      ▲                Controller.reconcile(key, now) ─► List<Write>      (pure)
///                        │      └── held until its own writes are in the Snapshot
///                        └─ WriteApplier ─► API server                                              (effects)
///
///  Deployment ─► ReplicaSet ─► Pod ─► Scheduler gives it a node;   Service + Pods ─► EndpointSlices
///  What lost its owner is deleted by the API server
/// ```
///
/// A controller has no clock, no random and no memory: names come from the API server's `generateName` or from
/// content, and all it knows is the Snapshot.
@NullMarked
package io.fairlead.controllers;

import org.jspecify.annotations.NullMarked;
