/// A cluster of network namespaces on a real kernel.
@NullMarked
package io.fairlead.lab;

import org.jspecify.annotations.NullMarked;
