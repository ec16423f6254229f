/// The only room that calls into Linux by java.lang.foreign: system calls, netlink, namespaces.
///
/// ```
///  NetworkNamespace ─┐
///  RouteSocket      ─┼─► NetlinkSocket ─► Libc ─► kernel
///  nftables (room)  ─┘
/// ```
///
/// Doors show Java types only. Errors are [io.fairlead.kernel.KernelException]s that say what was tried.
@NullMarked
package io.fairlead.kernel;

import org.jspecify.annotations.NullMarked;
