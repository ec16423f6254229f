/// The commands, and the programs they start.
@NullMarked
package io.fairlead.cli;

import org.jspecify.annotations.NullMarked;
