/// The front of the API server: requests, answers, watches, discovery, and the wiring of the whole server.
///
/// ```
///  HttpFront ─► ApiHandler ─► Router ─► Api ─┬─► ObjectReads ──► objects: WatchCache
///     ▲                                      │        └─► WatchStream
///     │                                      ├─► ObjectPatches, Subresources ─► objects: ObjectWrites
///  AnswerWriter ◄──────── Answer ◄───────────┴─► objects: ObjectDeletes
/// ```
///
/// What a kind means is asked of the room `kinds`, what becomes of an object is decided in `objects`, what runs without
/// a request is in `upkeep`.
@NullMarked
package io.fairlead.http;

import org.jspecify.annotations.NullMarked;
