/// A cluster of network namespaces on this machine: what `fairlead up` runs, and what the scenarios are sent through.
///
/// ```
///  AddressPlan ─► Topology ─► LabNetwork       namespaces, links, addresses, routes
///                     │            ▲
///    UpConfig ────────┴──► Up ─► Cluster ─► Supervisor ─► Child (server, node-1, node-2, …)
///                           │      └─ close ─► Remains    processes, namespaces, the host's link: all gone
///                           └─► Startup ─► Welcome, StateLines, UpFile
/// ```
///
/// This machine itself gets one link and the routes through it: no sysctl, no packet-filter rule. [Leftovers] removes
/// what is left when an `up` was killed.
@NullMarked
package io.fairlead.lab;

import org.jspecify.annotations.NullMarked;
