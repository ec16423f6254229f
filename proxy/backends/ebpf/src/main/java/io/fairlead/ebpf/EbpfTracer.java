package io.fairlead.ebpf;

import io.fairlead.api.Ip;
import io.fairlead.ebpf.EbpfEntry.Endpoint;
import io.fairlead.ebpf.EbpfEntry.Led;
import io.fairlead.ebpf.EbpfEntry.Local;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Does with the first packet of a connection what the programs do with the connection, by their maps.
///
/// What it leaves untouched goes on to the layer below. A client's address is known to it, as to the programs after the
/// first connection.
final class EbpfTracer implements Tracer {
    private final Program<EbpfEntry> program;

    EbpfTracer(Program<EbpfEntry> program) {
        this.program = program;
    }

    @Override
    public Trace trace(Packet packet) {
        // What comes through an interface was sent by a process that no program of this node sees.
        return packet.entrance() == Entrance.INTERFACE
                ? new Trace.Untouched()
                : find(new Led.Key(new AddressKey(packet.destination(), packet.protocol())), Led.class)
                        .map(led -> trace(led, packet))
                        .orElseGet(Trace.Untouched::new);
    }

    private Trace trace(Led led, Packet packet) {
        if (led.refuses()) {
            return new Trace.Refused();
        }
        if (led.local() && isLocal(led.set(), packet.source())) {
            return new Trace.Untouched();
        }
        Set<Delivery> deliveries = new HashSet<>();
        IntStream.range(0, led.slots())
                .mapToObj(slot -> find(new Endpoint.Key(led.set(), slot), Endpoint.class))
                .flatMap(Optional::stream)
                .forEach(endpoint -> deliveries.add(delivery(endpoint, packet)));
        return deliveries.isEmpty() ? new Trace.Untouched() : Trace.Delivered.to(deliveries);
    }

    private boolean isLocal(long set, Ip client) {
        return program.find(new Local(set, client)).isPresent();
    }

    /// What the node sends to a pod has the node's address, which is what others give it by masquerading.
    private static Delivery delivery(Endpoint endpoint, Packet packet) {
        return new Delivery(endpoint.target().at(), packet.entrance() == Entrance.NODE);
    }

    private <T> Optional<T> find(Object key, Class<T> type) {
        return program.find(key).filter(type::isInstance).map(type::cast);
    }
}
