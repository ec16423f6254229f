/// The containers of a pod: how they are started, what they see, how they are asked, and what they wrote.
///
/// ```
///  Pod + ImageTable ─► ContainerStart ─► Launch ─► ContainerProcess ─► Ending
///                      Environment, PodFiles, VolumeFiles, RootPlan
///                      ContainerProbes ─ Prober ─ ProbeQuestion        LogPump ─ ContainerLog
/// ```
@NullMarked
package io.fairlead.containers;

import org.jspecify.annotations.NullMarked;
