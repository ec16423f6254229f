/// What a controller is, and the loop that runs each of them.
///
/// ```
///  Latest<Snapshot> ─► ControllerRunner ─► Controller.changed(before, now) ─► keys
///                        │      ▲                Controller.reconcile(key, now) ─► List<Write>      (pure)
///                        │      └── held until its own writes are in the Snapshot
///                        └─ WriteApplier ─► API server                                              (effects)
/// ```
///
/// A controller has no clock, no random and no memory: names come from the API server's `generateName` or from
/// content, and all it knows is the Snapshot and the [Moment].
@NullMarked
package io.fairlead.runner;

import org.jspecify.annotations.NullMarked;
