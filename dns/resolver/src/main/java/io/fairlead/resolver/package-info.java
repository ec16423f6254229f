/// The server of names: what comes in by UDP and TCP is answered from the Zone, or from upstream.
///
/// ```
///  UdpWorker ─┐               ┌─► Zone (names of the cluster)
///             ├─► Responder ──┼─► AnswerCache
///  TcpDoor  ──┘               └─► Resolver ──► Forwarder ──► Upstream
/// ```
///
/// A [DnsServer] wires them. Each UDP worker is one thread with one socket; questions that have to go upstream leave it
/// at once for a virtual thread, so that a server which is away delays no name of the cluster.
@NullMarked
package io.fairlead.resolver;

import org.jspecify.annotations.NullMarked;
