/// Kubernetes objects as records, JSON, Snapshot: pure.
@NullMarked
package io.fairlead.api;

import org.jspecify.annotations.NullMarked;
