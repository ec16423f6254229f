/// All names of a cluster, and the bytes of questions and answers about them; pure.
///
/// ```
///  Snapshot ──at──► Zone ──answer(Query)──► Answer ──Reply──► bytes
///                   names by Service
/// ```
///
/// A [Zone] knows the Snapshot it was made of: [Zone#at] computes the names of the Services that changed alone. Its
/// answers are encoded when it is made, so that answering a question copies bytes and allocates nothing.
@NullMarked
package io.fairlead.zone;

import org.jspecify.annotations.NullMarked;
