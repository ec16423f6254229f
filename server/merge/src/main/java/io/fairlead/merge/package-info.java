/// How a patch and an object become the next object: JSON patch, merge, strategic merge, server-side apply.
///
/// ```
///  KindMerge ─┬─ StrategicPatch ── StrategicList
///   (the door) ├─ ServerSideApply ─┬─ Fields, Comparison, TypedMerge     over a Shape, which the schema gives
///              └─ Tracking ────────┴─ Ownership = Shares of FieldSets    metadata.managedFields
///  JsonPatch, MergePatch                                                  no schema needed
/// ```
///
/// Pure: time comes in as an argument, and a conflict goes out as a value.
@NullMarked
package io.fairlead.merge;

import org.jspecify.annotations.NullMarked;
