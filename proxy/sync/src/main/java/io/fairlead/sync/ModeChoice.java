package io.fairlead.sync;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which mode `auto` is on this machine, and why.
public record ModeChoice(String mode, String why) {

    /// The first mode that this machine can run, in the order of [ProxyModes#ALL]; a [ProxyException] says why
    /// none.
    public static ModeChoice auto(NodeFacts node) {
        return among(ProxyModes.ALL, ProxyModes::open, node);
    }

    static ModeChoice among(List<Mode> modes, Modes.Opener opener, NodeFacts node) {
        Map<String, String> refused = new LinkedHashMap<>();
        for (Mode mode : modes) {
            Optional<String> why = refusal(mode, opener, node);
            if (why.isEmpty()) {
                return new ModeChoice(mode.name(), why(mode.name(), refused));
            }
            refused.put(mode.name(), why.get());
        }
        throw new ProxyException("this machine can run no proxy mode: " + told(refused));
    }

    /// Why this machine cannot run a mode; nothing if it can.
    public static Optional<String> refusal(Mode mode, NodeFacts node) {
        return refusal(mode, ProxyModes::open, node);
    }

    /// Why a layer of the mode cannot run here; nothing if all can.
    private static Optional<String> refusal(Mode mode, Modes.Opener opener, NodeFacts node) {
        for (Mode.Layer layer : mode.layers()) {
            try (Backend<?> backend = opener.open(layer, node)) {
                switch (backend.support()) {
                    case Support.Supported _ -> {}
                    case Support.Unsupported(String reason) -> {
                        return Optional.of(reason);
                    }
                    case Support.Unknown(String reason) -> {
                        return Optional.of(reason);
                    }
                }
            } catch (ProxyException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static String why(String mode, Map<String, String> refused) {
        return refused.isEmpty()
                ? "%s is the first choice, and this machine can run it".formatted(mode)
                : "%s is the first that this machine can run: %s".formatted(mode, told(refused));
    }

    private static String told(Map<String, String> refused) {
        return String.join(
                "; ",
                refused.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .toList());
    }
}
