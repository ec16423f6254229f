/// Compiles to the classic chains, written with iptables-restore.
@NullMarked
package io.fairlead.iptables;

import org.jspecify.annotations.NullMarked;
