package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.containers.NodeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which pod addresses are in use, and which came last; the latter outlives the agent.
final class AddressBook {
    private static final String FILE = "addresses.json";

    private final StateFolder state;
    private final Set<Ip> taken;
    private final List<PodAddresses> pools = new ArrayList<>();

    /// Goes on where the agent before this one stopped; `taken` are the addresses of pods that live.
    AddressBook(List<Cidr> podCidrs, StateFolder state, Collection<Ip> taken) {
        this.state = state;
        this.taken = new HashSet<>(taken);
        JsonNode last = state.read(FILE);
        podCidrs.forEach(cidr -> pools.add(pool(cidr, last)));
    }

    /// One address of every block.
    synchronized List<Ip> take() {
        List<Ip> given = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            PodAddresses before = pools.get(i);
            PodAddresses after = before.next(taken::contains)
                    .orElseThrow(() -> new NodeException(
                            "no address is left in podCIDR %s: %d are in use".formatted(before.cidr(), taken.size())));
            pools.set(i, after);
            given.add(after.lastAddress());
        }
        taken.addAll(given);
        save();
        return given;
    }

    synchronized void release(Collection<Ip> addresses) {
        taken.removeAll(Set.copyOf(addresses));
    }

    private void save() {
        ObjectNode last = Json.object();
        pools.forEach(pool -> last.put(pool.cidr().toString(), pool.last()));
        state.write(FILE, last);
    }

    private static PodAddresses pool(Cidr cidr, JsonNode last) {
        JsonNode index = last.path(cidr.toString());
        return index.isIntegralNumber() ? new PodAddresses(cidr, index.longValue()) : PodAddresses.of(cidr);
    }
}
