package io.fairlead.sync;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.sync.Mode.Layer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One mode at work: the programmers of its layers, the lowest first.
record Layers(Mode mode, List<Programmer<?>> programmers) {
    Layers {
        programmers = List.copyOf(programmers);
    }

    /// Brings every layer to `table`. The lowest goes first: what a layer above it leaves is then taken already.
    LayeredProgram sync(ForwardingTable table) {
        return new LayeredProgram(programmers.stream()
                .map(programmer -> new LayeredProgram.OfLayer(programmer.layer(), programmer.sync(table)))
                .toList());
    }

    Optional<Programmer<?>> find(Layer layer) {
        return programmers.stream()
                .filter(programmer -> programmer.layer().equals(layer.name()))
                .findFirst();
    }

    boolean canDrift() {
        return watches().anyMatch(DriftWatch::canDrift);
    }

    /// Asks every layer whether another program changed it, and has those looked at that say so.
    boolean drifted() {
        boolean drifted = false;
        for (Programmer<?> programmer : programmers) {
            if (programmer
                    .backend()
                    .abilities()
                    .drift()
                    .filter(Layers::hasDrifted)
                    .isPresent()) {
                programmer.doubt();
                drifted = true;
            }
        }
        return drifted;
    }

    /// What the layers found that say that they were changed.
    List<String> findings() {
        return watches().flatMap(watch -> watch.findings().stream()).toList();
    }

    /// Has every layer compare all that it can, at the next look.
    void compareNow() {
        watches().forEach(DriftWatch::compareNow);
    }

    private static boolean hasDrifted(DriftWatch watch) {
        return watch.canDrift() && watch.drifted();
    }

    /// The next round reads back what every layer has in the kernel.
    void doubt() {
        programmers.forEach(Programmer::doubt);
    }

    /// In how long a backend wants to be called again.
    Optional<Duration> nextLook() {
        return programmers.stream()
                .flatMap(programmer -> programmer.nextLook().stream())
                .min(Comparator.naturalOrder());
    }

    /// Does what time has brought. A backend that fails is read back by the next round.
    void look() {
        programmers.forEach(Programmer::look);
    }

    /// What the counters of all layers show.
    List<ConnectionCount> connections() {
        return programmers.stream()
                .flatMap(programmer -> programmer.backend().abilities().counters().stream())
                .flatMap(counters -> counters.connections().stream())
                .toList();
    }

    Stream<Backend<?>> backends() {
        return programmers.stream().map(Programmer::backend);
    }

    private Stream<DriftWatch> watches() {
        return backends().flatMap(backend -> backend.abilities().drift().stream());
    }
}
