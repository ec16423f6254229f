/// Measurements at scale; results are committed.
@NullMarked
package io.fairlead.bench;

import org.jspecify.annotations.NullMarked;
