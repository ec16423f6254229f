/// The proxy of a node: picks a backend, keeps the kernel at the newest Snapshot, tells how it does.
///
/// ```
///  Latest<Snapshot> ─► SyncLoop ─► ForwardingTable ─► Program ─► Patch ─► Backend.apply
///                         │                                                  │
///                         ▼                                                  ▼
///                    SyncJournal ─► Health, SyncMetrics, dump       ConnectionCounters
///                                         │                                  │
///                                         ▼                                  ▼
///                                   ProxyServer  /healthz /livez  │  /metrics /proxyMode /dump
/// ```
///
/// All decisions are made in `forwarding`; here is only the loop, and what it tells about itself.
@NullMarked
package io.fairlead.sync;

import org.jspecify.annotations.NullMarked;
