/// What the API server does by itself, without a request: loops over the cache that write where something is amiss.
///
/// ```
///  WatchCache ─► look ─► ObjectWrites / ObjectDeletes, once a second or as changes come
/// ```
@NullMarked
package io.fairlead.upkeep;

import org.jspecify.annotations.NullMarked;
