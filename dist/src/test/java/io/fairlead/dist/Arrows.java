package io.fairlead.dist;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Which room may use which: the picture of ARCHITECTURE.md as a table.
final class Arrows {
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry("api", Set.of()),
            entry("runtime", Set.of()),
            entry("yaml", Set.of("api")),
            entry("kernel", Set.of("api")),
            entry("streams", Set.of("runtime")),
            entry("sessions", Set.of("api", "kernel", "runtime", "streams")),
            entry("store", Set.of("api", "runtime")),
            entry("schema", Set.of("api")),
            entry("merge", Set.of("api", "schema")),
            entry("access", Set.of("api", "yaml")),
            entry("kinds", Set.of("api", "routes")),
            entry("objects", Set.of("access", "api", "kinds", "merge", "runtime", "schema", "store")),
            entry("admission", Set.of("api", "kinds", "objects", "runtime")),
            entry("upkeep", Set.of("access", "api", "kinds", "objects", "runtime", "store")),
            entry(
                    "http",
                    Set.of(
                            "access",
                            "admission",
                            "api",
                            "kinds",
                            "merge",
                            "objects",
                            "runtime",
                            "schema",
                            "store",
                            "streams",
                            "upkeep",
                            "yaml")),
            entry("client", Set.of("api", "runtime", "yaml")),
            entry("runner", Set.of("api", "client", "runtime")),
            entry("fakes", Set.of("api", "client", "runner")),
            entry("endpoints", Set.of("api", "runner")),
            entry("placement", Set.of("api", "runner")),
            entry("workloads", Set.of("api", "runner")),
            entry("balancers", Set.of("api", "client", "runner", "runtime")),
            entry("forwarding", Set.of("api")),
            entry("zone", Set.of("api")),
            entry("resolver", Set.of("api", "client", "kernel", "runtime", "zone")),
            entry("testkit", Set.of("api", "endpoints", "forwarding", "kernel", "runtime", "yaml")),
            entry("nftables", Set.of("api", "forwarding", "kernel")),
            entry("iptables", Set.of("api", "forwarding", "kernel")),
            entry("ebpf", Set.of("api", "forwarding", "kernel")),
            entry("ipvs", Set.of("api", "forwarding", "kernel")),
            entry("userspace", Set.of("api", "forwarding", "kernel", "runtime")),
            entry(
                    "sync",
                    Set.of(
                            "api",
                            "client",
                            "ebpf",
                            "forwarding",
                            "iptables",
                            "ipvs",
                            "kernel",
                            "nftables",
                            "runtime",
                            "userspace",
                            "yaml")),
            entry("announce", Set.of("api", "client", "kernel", "runtime")),
            entry("routes", Set.of("api")),
            entry("nginx", Set.of("api", "client", "kernel", "routes", "runtime")),
            entry("containers", Set.of("api", "client", "kernel", "runtime", "yaml")),
            entry("agent", Set.of("api", "client", "containers", "kernel", "runtime")),
            entry("lab", Set.of("api", "kernel")),
            entry("up", Set.of("api", "client", "kernel", "lab", "runtime", "yaml")),
            entry("kubectl", Set.of("api", "client", "runtime", "yaml")));

    // They start everything, so they may see everything.
    private static final Set<String> AT_THE_TOP = Set.of("commands", "bench", "conformance", "dist");

    private Arrows() {}

    static List<String> violations(CompiledClass type) {
        String room = type.room();
        if (AT_THE_TOP.contains(room)) {
            return List.of();
        }
        Set<String> used = new TreeSet<>();
        type.classes().forEach(name -> used.add(CompiledClass.roomOf(name)));
        used.removeAll(Set.of("", room));
        used.removeAll(MAY_USE.getOrDefault(room, Set.of()));
        return used.stream()
                .map(other -> "%s uses the room %s".formatted(type.name(), other))
                .toList();
    }

    /// A room that is in no table is held to no promise.
    static List<String> unlisted(List<String> rooms) {
        return rooms.stream()
                .filter(room -> !MAY_USE.containsKey(room) && !AT_THE_TOP.contains(room))
                .toList();
    }
}
