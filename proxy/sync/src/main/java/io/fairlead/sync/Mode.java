package io.fairlead.sync;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// One proxy mode: the name an operator gives, and what the mode is made of.
///
/// @param section where its settings stand in a KubeProxyConfiguration
/// @param layers the backends it is made of, the lowest first: each takes what those above it leave
/// @param failures how its failed rounds are counted
/// @param answersAtLocalhost whether its node ports can answer at 127.0.0.1
public record Mode(
        String name, String section, List<Layer> layers, FailureMetrics failures, boolean answersAtLocalhost) {

    public Mode {
        layers = List.copyOf(layers);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("the mode %s has no layer".formatted(name));
        }
    }

    /// A mode of one layer, which counts its failures as [FailureMetrics#OWN].
    static Mode of(Layer layer) {
        return new Mode(layer.name(), layer.name(), List.of(layer), FailureMetrics.OWN, false);
    }

    /// One backend that modes are made of; modes that share a layer share what it programs.
    ///
    /// @param sweeps how what it ever programmed is taken away from a machine
    public record Layer(String name, Function<NodeFacts, Backend<?>> opener, List<Sweep> sweeps) {
        public Layer {
            sweeps = List.copyOf(sweeps);
        }

        /// A layer that leaves nothing which it would not find again itself.
        static Layer of(String name, Function<NodeFacts, Backend<?>> opener) {
            return new Layer(name, opener, List.of(new Sweep("mode " + name, opener)));
        }
    }

    /// What a cleanup opens to take away what it finds.
    ///
    /// @param isThere whether there can be anything: opening some backends would make what is then found
    public record Sweep(String name, Function<NodeFacts, Backend<?>> opener, BooleanSupplier isThere) {
        Sweep(String name, Function<NodeFacts, Backend<?>> opener) {
            this(name, opener, () -> true);
        }
    }

    /// The counters of failed rounds, by the names kube-proxy gives them: of `all`, and of those that wrote
    /// only what changed, where these are counted apart.
    public record FailureMetrics(String all, Optional<String> partial) {
        /// For a mode that kube-proxy does not count.
        public static final FailureMetrics OWN = new FailureMetrics("sync_failures_total", Optional.empty());
    }
}
