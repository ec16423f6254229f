package io.fairlead.store;

import io.fairlead.api.Revision;

/// What a caller asks of the thread that writes.
sealed interface Write {
    record Put(String key, byte[] value, Revision expected) implements Write {}

    record Delete(String key, Revision expected) implements Write {}

    record Compact(Revision upTo) implements Write {}
}
