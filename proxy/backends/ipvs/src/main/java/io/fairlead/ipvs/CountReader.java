package io.fairlead.ipvs;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.ipvs.IpvsMessages.Counted;
import io.fairlead.ipvs.IpvsMessages.Sighted;
import io.fairlead.ipvs.IpvsReader.Sockets;
import io.fairlead.kernel.GenericFamily;
import io.fairlead.kernel.KernelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How many connections the kernel led to each Service and each endpoint: IPVS counts both by itself.
///
/// It has a way to the kernel of its own, for another thread asks than the one that applies.
final class CountReader implements ConnectionCounters, AutoCloseable {
    private final Map<ServerAddress, Owner> owners;
    private final Sockets sockets = Sockets.open();

    /// `owners` may be changed by another thread.
    CountReader(Map<ServerAddress, Owner> owners) {
        this.owners = owners;
    }

    @Override
    public synchronized List<ConnectionCount> connections() {
        List<ConnectionCount> counts = new ArrayList<>();
        try {
            sockets.generic().dump(sockets.messages().virtualServers()).stream()
                    .flatMap(message -> IpvsMessages.counted(message.attributes(GenericFamily.HEADER)).stream())
                    .forEach(counted -> count(counted, counts));
        } catch (KernelException e) {
            throw new ApplyException("the kernel does not tell how many connections there were", e);
        }
        return counts;
    }

    private void count(Counted counted, List<ConnectionCount> counts) {
        ServerAddress place = counted.server().place();
        Owner owner = owners.get(place);
        if (owner == null) {
            return; // of another program, or removed meanwhile
        }
        counts.add(new ConnectionCount.ToService(place, owner.service(), counted.ever()));
        for (Sighted sighted : IpvsReader.sightings(sockets, place)) {
            counts.add(new ConnectionCount.ToTarget(
                    sighted.server().key(), owner.service(), sighted.server().address(), sighted.ever()));
        }
    }

    @Override
    public synchronized void close() {
        sockets.close();
    }
}
