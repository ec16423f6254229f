package io.fairlead.sync;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which mode `auto` is on this machine, and why.
public record ModeChoice(String mode, String why) {

    /// The first mode that this machine can run, in the order of [Backends#MODES]; a [ProxyException] says why none.
    public static ModeChoice auto(NodeFacts node) {
        return among(Backends.MODES, Backends::open, node);
    }

    static ModeChoice among(List<String> modes, Modes.Opener opener, NodeFacts node) {
        Map<String, String> refused = new LinkedHashMap<>();
        for (String mode : modes) {
            try (Backend<?> backend = opener.open(mode, node)) {
                switch (backend.support()) {
                    case Support.Supported _ -> {
                        return new ModeChoice(mode, why(mode, refused));
                    }
                    case Support.Unsupported(String reason) -> refused.put(mode, reason);
                    case Support.Unknown(String reason) -> refused.put(mode, reason);
                }
            } catch (ProxyException e) {
                refused.put(mode, String.valueOf(e.getMessage()));
            }
        }
        throw new ProxyException("this machine can run no proxy mode: " + told(refused));
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
