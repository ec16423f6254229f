/// The pods of a node: what is wanted of them, what is known of them, and the next step.
///
/// ```
///                       ┌─► NodeRegistration ─► the Node object          (status, podCIDRs)
///  Latest<Snapshot> ────┼─► RouteLoop ────────► routes to other nodes' pods
///  (NodeAgent)          └─► PodLoop ─ DesiredState ─► PodWorker (one a pod, owns its PodRecord)
///                                                 │ observe ─► PodPlan.next (pure) ─► Step ─► carry out
///                            ┌────────────────────┼──────────────────┬─────────────────┐
///                        PodNetwork           ContainerProcess    Prober         StatusReporter
///                        namespace, veth      runc by ContainerRuntime     readiness      status patches
/// ```
///
/// What runs is written down in [StateFolder] before and after each step, so that an agent that was killed
/// finds its pods again. Threads of this JVM never stay inside a pod's namespace: they would keep it alive.
@NullMarked
package io.fairlead.agent;

import org.jspecify.annotations.NullMarked;
