package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.userspace.UserspaceEntry.Portal;

/// At which ports of the machine the relay listens.
interface Ports {
    /// Where all TCP connections of a family arrive; those of divided portals that begin inside have a port of their
    /// own.
    int tcp(Family family, boolean inside);

    /// Where the datagrams for one portal arrive.
    int udp(Portal.Key portal);
}
