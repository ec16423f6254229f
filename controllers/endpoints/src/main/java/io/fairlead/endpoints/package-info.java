/// Which addresses a Service leads to: EndpointSlices and Endpoints, out of Services, pods and nodes. Pure.
///
/// ```
///  Service + Pods + Nodes ─► WantedEndpoints ─► Hints ─► SlicePlan ─► List<Write>
///                                               (zones)  (as few slices written as can be)
/// ```
@NullMarked
package io.fairlead.endpoints;

import org.jspecify.annotations.NullMarked;
