package io.fairlead.proxy;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.NodeFacts;
import java.util.ArrayList;
import java.util.List;

/// Takes the rules of every mode away from this machine.
public final class ProxyCleanup {
    private ProxyCleanup() {}

    /// The modes of which there was something. Throws [io.fairlead.forwarding.ApplyException] if the kernel refuses.
    public static List<String> removeAll() {
        List<String> removed = new ArrayList<>();
        NodeFacts anywhere = NodeFacts.of("cleanup", List.of());
        for (String mode : Backends.MODES) {
            if (remove(mode, anywhere)) {
                removed.add(mode);
            }
        }
        return removed;
    }

    private static boolean remove(String mode, NodeFacts node) {
        Backend<?> backend;
        try {
            backend = Backends.open(mode, node);
        } catch (ProxyException _) {
            return false; // a mode that cannot run here has left nothing here
        }
        try (Programmer<?> programmer = programmer(mode, backend)) {
            return programmer.withdraw();
        }
    }

    private static <E extends Entry> Programmer<E> programmer(String mode, Backend<E> backend) {
        return new Programmer<>(mode, backend, new ConnectionTotals());
    }
}
