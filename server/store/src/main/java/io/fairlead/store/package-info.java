/// The revisioned, watchable object store: memory, SQLite and etcd behind one door.
///
/// ```
///  put, delete ─► WriteQueue ─► SqliteWriter ── one commit a group ─► SqliteLog ─► store.db
///                                    │                                               │
///                                    ▼ durable                                       ▼
///   find, list ◄───────────────── View ◄── history pages for a watch ────────── SqliteHistory
///   watch      ◄─── WatchHub ◄───────┘
/// ```
///
/// A [io.fairlead.store.Draft] decides the writes of a group one after the other. When the group is durable, the
/// [io.fairlead.store.View] shows it to readers, and then its writers get their answers: what was answered is on disk
/// and visible, what is visible is on disk. In the memory room every write is a group of its own and there is no disk.
/// In the etcd room the cluster decides, for all writes of an [io.fairlead.store.EtcdWriter]'s group at once, and an
/// [io.fairlead.store.EtcdFeed] brings what it tells to the same WatchHub.
@NullMarked
package io.fairlead.store;

import org.jspecify.annotations.NullMarked;
