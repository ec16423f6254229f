/// A cluster of network namespaces on this machine: what `fairlead up` runs in, and what the scenarios are sent
/// through.
///
/// ```
///  AddressPlan ─► Topology ─► LabNetwork       namespaces, links, addresses, routes
///                                 └─ close ─► Remains    processes, namespaces, the host's link: all gone
/// ```
///
/// This machine itself gets one link and the routes through it: no sysctl, no packet-filter rule.
@NullMarked
package io.fairlead.lab;

import org.jspecify.annotations.NullMarked;
