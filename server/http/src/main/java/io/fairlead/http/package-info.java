/// HTTP over the store: verbs, watch streams, admission, allocation.
///
/// ```
///  HttpFront ─► ApiHandler ─► Router ─► Api ─┬─► ObjectReads ──► WatchCache ◄── store.watch
///     ▲                                      │        └─► WatchStream    ▲
///     │                                      ├─► ObjectWrites ── put ─► store, then wait for the cache
///  AnswerWriter ◄──────── Answer ◄───────────┴─► ObjectDeletes
///                                                    │
///                                     KindTable: one KindRules a kind
/// ```
///
/// One [io.fairlead.http.KindRules] holds what is particular about a kind: defaults, validation, allocation,
/// columns, selectable fields, subresources. All else is the same for every kind, and knows none of them by name.
/// A [io.fairlead.http.WatchCache] holds the whole store in memory: every read and every watch is served from it,
/// and a write is answered when it is durable and can be read there.
@NullMarked
package io.fairlead.http;

import org.jspecify.annotations.NullMarked;
