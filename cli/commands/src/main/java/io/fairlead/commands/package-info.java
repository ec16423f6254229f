/// The programs of `fairlead`, wired by hand, and the table of commands.
///
/// ```
///  fairlead ARGS ─► Main ─► Commands ─┬─ server        API server + store + Controllers
///                                     ├─ node, proxy   node agent + proxy; the proxy alone
///                                     ├─ load-balancer addresses for Services, alone
///                                     ├─ up, cleanup   a whole cluster on this machine (room up)
///                                     └─ get, apply, delete, scale   (room kubectl)
/// ```
///
/// What went wrong leaves a command as an exception; `Failures` turns it into a sentence and an exit code.
@NullMarked
package io.fairlead.commands;

import org.jspecify.annotations.NullMarked;
