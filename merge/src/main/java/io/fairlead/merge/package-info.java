/// How a patch and an object become the next object: JSON patch, merge, strategic merge, server-side apply.
@NullMarked
package io.fairlead.merge;

import org.jspecify.annotations.NullMarked;
