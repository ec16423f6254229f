package io.fairlead.bench;

import java.util.Map;
import java.util.Random;

/// A server on a store, and the faults that can be made there.
interface FaultSite extends AutoCloseable {
    /// Makes a fault, and has taken its cause away when it returns or throws.
    interface Strike {
        void run(Random random) throws InterruptedException;
    }

    ServerProcess server();

    Map<FaultKind, Strike> strikes();

    /// Ends the server and its store, and removes what they made.
    @Override
    void close();
}
