package io.fairlead.announce;

import io.fairlead.api.Ip;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which node answers for which address: the one with the highest score for it, so that every node finds the same one
/// without asking, and only the addresses of a node move when it goes or comes (rendezvous hashing). Pure.
final class Election {
    private Election() {}

    /// The owner of each address that has one.
    static SortedMap<Ip, String> owners(Collection<Wanted> addresses, List<Candidate> candidates) {
        SortedMap<Ip, String> owners = new TreeMap<>();
        addresses.forEach(wanted -> owner(wanted, candidates).ifPresent(node -> owners.put(wanted.address(), node)));
        return owners;
    }

    private static Optional<String> owner(Wanted wanted, List<Candidate> candidates) {
        List<Candidate> able = candidates.stream()
                .filter(candidate -> wanted.mayBeOn(candidate.node()) && candidate.reaches(wanted.address()))
                .toList();
        // A node that is not ready may still do; but only where no other is left.
        boolean someReady = able.stream().anyMatch(Candidate::ready);
        return able.stream()
                .filter(candidate -> candidate.ready() || !someReady)
                .map(Candidate::node)
                .max(Comparator.<String>comparingLong(node -> score(node, wanted.address()))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /// The same on every machine and in every version: nodes that disagree would both answer.
    static long score(String node, Ip address) {
        long hash = 0xcbf29ce484222325L; // FNV-1a, and the finish of splitmix64 for its weak high bits
        for (byte b : (node + "/" + address).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
