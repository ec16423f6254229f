/// What a kind of the API means: its defaults, what makes an object of it valid, its columns, its rules. Pure.
///
/// ```
///  a write ─► prepareCreate / prepareUpdate ─► fillDefaults ─► check / checkChange ─► stored
///                                 KindTable: one KindRules a kind
/// ```
///
/// One [io.fairlead.kinds.KindRules] holds what is particular about a kind; a `*Validation` says what is wrong with
/// one, as a list of problems. Nothing here reads a clock, a store or a request: time and chance come in as a `Stamp`.
///
/// Codes such as (A11) or (K24) in comments name the clauses of docs/reference/semantics.md.
@NullMarked
package io.fairlead.kinds;

import org.jspecify.annotations.NullMarked;
