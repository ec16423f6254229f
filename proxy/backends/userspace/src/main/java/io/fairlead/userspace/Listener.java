package io.fairlead.userspace;

import io.fairlead.api.IpPort;

/// A socket where connections arrive; `inside` if only those arrive that begin on this node.
record Listener(int descriptor, IpPort address, boolean inside) {}
