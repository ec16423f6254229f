/// Objects as the server has them: read from a cache of the whole store, written by compare-and-set, claimed for.
///
/// ```
///  store.watch ─► WatchCache ─► KindCache ─┬─► lists (ListPieces), watches (CacheEvent), selections
///                     ▲                    └─► Rights
///  ObjectWrites ── put, claims ─► store, then wait for the cache ◄── ObjectDeletes
/// ```
///
/// A write is answered when it is durable and can be read in the cache. What is particular about a kind is asked of
/// [io.fairlead.kinds.KindRules]; what no two objects may have is given by an [io.fairlead.objects.Allocator].
@NullMarked
package io.fairlead.objects;

import org.jspecify.annotations.NullMarked;
