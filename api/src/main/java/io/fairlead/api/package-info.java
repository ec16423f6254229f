/// Kubernetes objects as records, JSON and YAML, validation, Snapshot: pure.
@NullMarked
package io.fairlead.api;

import org.jspecify.annotations.NullMarked;
