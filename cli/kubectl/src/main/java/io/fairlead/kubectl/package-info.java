/// The verbs of kubectl on the API server: get, apply, delete, scale.
///
/// ```
///  get ─► Query ─► TableView | ObjectView ─┐
///  apply, delete ─► ManifestFiles ─────────┤
///  scale ──────────────────────────────────┴─► client ─► API server
/// ```
///
/// What went wrong leaves a command as an exception; [Refusals] has the sentences that kubectl prints for it.
@NullMarked
package io.fairlead.kubectl;

import org.jspecify.annotations.NullMarked;
