/// What the shell of every program shares.
@NullMarked
package io.fairlead.runtime;

import org.jspecify.annotations.NullMarked;
