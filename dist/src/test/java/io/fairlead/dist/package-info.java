/// Drives what was built as its users and its maintainers see it.
@NullMarked
package io.fairlead.dist;

import org.jspecify.annotations.NullMarked;
