/// The attacks on the whole system, each against the programs as a user starts them.
///
/// ```
///  StrangersIT   without a name      ─┐
///  TenantsIT     with few rights     ─┼─► fairlead server
///  RefusedIT     beyond their rights ─┤
///  OutOfMemoryIT more than fits      ─┘
/// ```
///
/// docs/guide/security.md says which finding is tested where.
package io.fairlead.conformance.attacks;
