/// The front of the API server: requests, answers, watches, discovery, and the wiring of the whole server.
///
/// ```
///  HttpFront ─► ApiHandler ─► filters ─► Router ─► Api ─┬─► ObjectReads ──► objects: WatchCache
///     ▲                                                 │        └─► WatchStream
///     │                                                 ├─► ObjectPatches, Subresources ─► objects: ObjectWrites
///  AnswerWriter ◄──────── Answer ◄──────────────────────┴─► objects: ObjectDeletes
/// ```
///
/// What a kind means is asked of the room `kinds`, what becomes of an object is decided in `objects`, what runs without
/// a request is in `upkeep`.
///
/// Codes such as (A11) or (K24) in comments name the clauses of docs/reference/semantics.md.
@NullMarked
package io.fairlead.http;

import org.jspecify.annotations.NullMarked;
