/// Several streams over one connection, the ways in which clients reach into a pod.
///
/// ```
///  bytes of an upgraded connection
///    ├─ SPDY/3.1 ────────► SpdyConnection ─► SpdyStream, with headers ─┬─► CommandStreams   exec, attach
///    └─ WebSocket ─┬─ v4/v5.channel.k8s.io ─► ChannelSocket ───────────┴─► ForwardStreams   port-forward
///                  └─ SPDY/3.1+portforward.k8s.io ─► WebSocketBytes, and SPDY in them
/// ```
///
/// It moves bytes, so its methods fail as streams do, with an [java.io.IOException]. What a peer sends and this side
/// has not read yet is bounded: a full [ByteQueue] stops the reading of the connection, and TCP stops the peer.
@NullMarked
package io.fairlead.streams;

import org.jspecify.annotations.NullMarked;
