package io.fairlead.userspace;

import io.fairlead.api.IpPort;

/// A socket where the datagrams for one frontend arrive: it has no call that says where they were to go, so each
/// frontend has its own.
record UdpFront(int descriptor, IpPort destination, boolean inside) {}
