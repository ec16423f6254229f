package io.fairlead.iptables;

import io.fairlead.api.Family;
import java.util.List;
import java.util.stream.Stream;

/// The programs that speak to one packet filter, `iptables-nft-restore` and its siblings, as command lines. Pure.
///
/// @param infix what stands in the middle of their names; empty where a machine has only one kind
record Tools(Variant variant, String infix) {
    private static final String LOCK_SECONDS = "5";

    /// What is there, in the words of `iptables-save`: the tables that exist, or only one of them.
    List<String> save(Family family, String... arguments) {
        return command(family, "-save", arguments);
    }

    /// The rules of one chain with what their counters show, each in one line.
    List<String> list(Family family, Table table, String chain) {
        return command(family, "", "-w", LOCK_SECONDS, "-t", table.toString(), "-v", "-S", chain);
    }

    /// Makes the transaction that it reads.
    List<String> restore(Family family) {
        return command(family, "-restore", "--noflush", "-w", LOCK_SECONDS);
    }

    List<String> version() {
        return command(Family.IPV4, "", "--version");
    }

    private List<String> command(Family family, String suffix, String... arguments) {
        String program = (family == Family.IPV4 ? "iptables" : "ip6tables") + infix + suffix;
        return Stream.concat(Stream.of(program), Stream.of(arguments)).toList();
    }

    @Override
    public String toString() {
        return "iptables" + infix + " (" + variant + ")";
    }
}
