/// A cluster in memory, for the tests of controllers: it does with their writes what an API server does.
///
/// ```
///  Manifests ─► MemoryCluster.put ─► Snapshot ─► Controller ─► Write ─► MemoryCluster.apply ─► Snapshot …
///               MemoryApiServer: the same behind HTTP, and it can be made to refuse
/// ```
@NullMarked
package io.fairlead.fakes;

import org.jspecify.annotations.NullMarked;
