package io.fairlead.userspace;

import java.util.Optional;
import java.util.function.Supplier;

/// A socket where the datagrams for one frontend arrive: it has no call that says where they were to go, so each
/// frontend has its own. `balancer` gives the targets of now.
record UdpFront(int descriptor, Supplier<Optional<Balancer>> balancer) {}
