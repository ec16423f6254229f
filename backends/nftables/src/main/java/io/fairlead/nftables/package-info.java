/// Compiles to elements of a few maps, sent as one nfnetlink batch.
@NullMarked
package io.fairlead.nftables;

import org.jspecify.annotations.NullMarked;
