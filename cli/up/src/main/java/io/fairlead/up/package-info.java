/// `fairlead up`: a whole cluster on this machine, as a program that starts and watches the others.
///
/// ```
///  UpConfig ─► Up ─► Cluster ─► Supervisor ─► Child (server, node-1, node-2, …)
///               │      └─ close ─► Remains       processes, namespaces, the host's link: all gone
///               └─► Startup ─► Welcome, StateLines, UpFile
/// ```
///
/// The network is the room lab's. [ClusterLeftovers] removes what is left when an `up` was killed.
@NullMarked
package io.fairlead.up;

import org.jspecify.annotations.NullMarked;
