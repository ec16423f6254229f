/// The containers of a pod: how they are started, what they see, how they are asked, and what they wrote.
///
/// ```
///  Pod + NodeImages ─► ContainerStart ─► ContainerSpec ─► OciConfig ─► ContainerRuntime ─► RuntimeContainer ─► Ending
///                      SecurityPlan, PodResources, Environment, ContainerBinds, VolumeFiles, PodFiles
///                      ContainerProbes ─ Prober ─ ProbeQuestion        LogPump ─ ContainerLog
/// ```
@NullMarked
package io.fairlead.containers;

import org.jspecify.annotations.NullMarked;
