/// The commands, and the programs they start.
///
/// ```
///  fairlead ARGS ─► Main ─► Commands ─┬─ get ─► Query ─► TableView | ObjectView ─┐
///                                     ├─ apply, delete ─► ManifestFiles ─────────┤
///                                     ├─ scale ──────────────────────────────────┴─► client ─► API server
///                                     ├─ server, node, proxy: one program each, wired by hand
///                                     └─ up, cleanup: a whole cluster on this machine (room lab)
/// ```
///
/// What went wrong leaves a command as an exception; `Failures` turns it into a sentence and an exit code.
@NullMarked
package io.fairlead.commands;

import org.jspecify.annotations.NullMarked;
