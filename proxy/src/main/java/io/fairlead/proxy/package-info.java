/// The proxy of a node: SyncLoop, health, metrics; picks a backend.
@NullMarked
package io.fairlead.proxy;

import org.jspecify.annotations.NullMarked;
