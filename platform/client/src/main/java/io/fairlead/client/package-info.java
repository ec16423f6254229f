/// The only way other programs read the cluster: HTTP to the API server, and list + watch into the newest Snapshot.
///
/// ```
///  Kubeconfig ─► ClusterAccess ─► ApiClient ─┬─ get, list, create, update, patch, delete ─► one JSON tree
///                                            └─ watch ─► Watch ─► WatchLoop (one a kind) ─┐
///                                                                  batches of Change      ▼
///                              Latest<Snapshot> (one box a reader) ◄── publish ◄── Reflector (owns the Snapshot)
/// ```
///
/// `Transport` is the one file that knows java.net.http. Sizes, waits and queues are bounded everywhere.
@NullMarked
package io.fairlead.client;

import org.jspecify.annotations.NullMarked;
