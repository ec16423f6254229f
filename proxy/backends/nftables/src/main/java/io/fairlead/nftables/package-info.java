/// The nftables backend: Services are elements of a few maps, sent as one nfnetlink transaction.
///
/// ```
///  rows ─► NftablesCompiler ─► NftablesEntry ─► NftablesMessages ─► NftablesApplier ═► kernel
///          (Foundation, Plan)  (Chain: Rule:    (SetCodec, ChainCodec,   │
///                               Expression)      ElementCodec)           │
///                              NftablesEntry ◄─ TableReader ◄════════════╧════════════ kernel
/// ```
///
/// Rules are data too: steps of the register machine of nf_tables. They are encoded for the kernel, printed as nft
/// does, read back, and run by the packet tracer of the tests.
@NullMarked
package io.fairlead.nftables;

import org.jspecify.annotations.NullMarked;
