/// Test-only: scenarios, golden files, the contract of the backends, packets.
///
/// ```
///  scenarios/NAME/ ──► Scenario ─┬─► ForwardingTable of each node ──► Golden (forwarding.txt)
///                                └─► Flow ─► FlowCheck ─► Tracer of a backend's Program
///
///  BackendContract: what every backend promises; DurableContract, ProcessBoundContract: and what its family does.
///  MemoryBackend over a MemoryKernel keeps either without root
///  RequiresRoot:    skipped without the right, but a failure under CI=true
/// ```
@NullMarked
package io.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
