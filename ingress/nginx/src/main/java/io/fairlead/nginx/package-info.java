/// The Ingress controller: a real nginx as a child, and what it is fed.
///
/// ```
///  Snapshot ──► RouteTable ──┬─► Feed ──► control.sock ──► Lua in each worker     endpoints, certificates, routes
///                            └─► nginx.conf ─► nginx -t ─► rename ─► SIGHUP       new sets of options alone
/// ```
///
/// nginx outlives the controller: a new one finds it by its pid file and goes on feeding it.
@NullMarked
package io.fairlead.nginx;

import org.jspecify.annotations.NullMarked;
