package io.fairlead.ebpf;

import io.fairlead.api.Ip;
import io.fairlead.forwarding.Entry;
import io.fairlead.kernel.BpfHook;
import java.util.Locale;

/// What this backend owns in the kernel: programs at hooks, and elements of the maps that they read.
public sealed interface EbpfEntry extends Entry {
    /// A program that runs at a hook; `version` tells the object that it came from.
    record Attached(BpfHook hook, String version) implements EbpfEntry {
        @Override
        public Object key() {
            return hook;
        }

        @Override
        public String toString() {
            return "hook %s runs %s".formatted(hook, version);
        }
    }

    /// An element of a map.
    sealed interface Element extends EbpfEntry {
        EbpfTable table();
    }

    /// What a frontend leads to: one of the `slots` of a set of targets, or nothing.
    record Led(AddressKey frontend, long set, int slots, boolean refuses, boolean local, boolean byTurns)
            implements Element {
        record Key(AddressKey frontend) {
            @Override
            public String toString() {
                return "service " + frontend;
            }
        }

        static Led nowhere(AddressKey frontend) {
            return new Led(frontend, 0, 0, true, false, false);
        }

        @Override
        public Object key() {
            return new Led.Key(frontend);
        }

        @Override
        public EbpfTable table() {
            return EbpfTable.SERVICE;
        }

        @Override
        public String toString() {
            return refuses
                    ? "service %s : refused".formatted(frontend)
                    : "service %s : set %s, %d slots%s%s"
                            .formatted(
                                    frontend, text(set), slots, local ? ", some local" : "", byTurns ? ", turns" : "");
        }
    }

    /// One slot of a set: a target.
    record Endpoint(long set, int slot, AddressKey target) implements Element {
        record Key(long set, int slot) {
            @Override
            public String toString() {
                return "endpoint %s . %d".formatted(text(set), slot);
            }
        }

        @Override
        public Object key() {
            return new Endpoint.Key(set, slot);
        }

        @Override
        public EbpfTable table() {
            return EbpfTable.ENDPOINT;
        }

        @Override
        public String toString() {
            return "%s : %s".formatted(key(), target);
        }
    }

    /// That a set has a target: asked by who was led there before. For UDP alone.
    record Member(long set, AddressKey target) implements Element {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public EbpfTable table() {
            return EbpfTable.MEMBER;
        }

        @Override
        public String toString() {
            return "member %s . %s".formatted(text(set), target);
        }
    }

    /// That a pod of this node is among the targets of a set: where it is the client, the layer below leads.
    record Local(long set, Ip pod) implements Element {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public EbpfTable table() {
            return EbpfTable.LOCAL;
        }

        @Override
        public String toString() {
            return "local %s . %s".formatted(text(set), pod);
        }
    }

    /// Whose frontend it is: for who reads the counters.
    record Name(AddressKey frontend, String service) implements Element {
        record Key(AddressKey frontend) {
            @Override
            public String toString() {
                return "name " + frontend;
            }
        }

        @Override
        public Object key() {
            return new Name.Key(frontend);
        }

        @Override
        public EbpfTable table() {
            return EbpfTable.NAME;
        }

        @Override
        public String toString() {
            return "%s : %s".formatted(key(), service);
        }
    }

    private static String text(long set) {
        return String.format(Locale.ROOT, "%016x", set);
    }
}
