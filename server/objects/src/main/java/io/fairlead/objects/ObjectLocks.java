package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/// Lets the writes to one object of this server wait for each other, instead of failing in the store and trying again.
final class ObjectLocks {
    private static final int STRIPES = 1024;

    private final ReentrantLock[] stripes =
            IntStream.range(0, STRIPES).mapToObj(i -> new ReentrantLock()).toArray(ReentrantLock[]::new);

    /// Held until closed.
    interface Held extends AutoCloseable {
        @Override
        public void close();
    }

    Held lock(Kind kind, NamespacedName key) throws InterruptedException {
        ReentrantLock lock = stripes[Math.floorMod(Objects.hash(kind.name(), key), STRIPES)];
        lock.lockInterruptibly();
        return lock::unlock;
    }
}
