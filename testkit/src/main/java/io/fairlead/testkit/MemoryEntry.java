package io.fairlead.testkit;

import io.fairlead.api.Ip;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Forwarding;

/// What a [MemoryBackend] owns.
public sealed interface MemoryEntry extends Entry {
    /// The foundation: says that the rest is looked at.
    record Switch() implements MemoryEntry {
        @Override
        public Object key() {
            return "switch";
        }

        @Override
        public String toString() {
            return "switch on";
        }
    }

    /// One row of the table, as it is.
    record Door(Forwarding row) implements MemoryEntry {
        @Override
        public Object key() {
            return row.frontend();
        }

        @Override
        public String toString() {
            return "door " + row;
        }
    }

    /// A pod of this node that may reach itself; shared by all Services that lead to it.
    record Hairpin(Ip pod) implements MemoryEntry {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public String toString() {
            return "hairpin " + pod;
        }
    }
}
