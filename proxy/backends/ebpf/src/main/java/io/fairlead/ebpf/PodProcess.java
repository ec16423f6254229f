package io.fairlead.ebpf;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// A process of the machine: whose addresses it has, and in which control group of version 2 it is.
///
/// @param group the path of the group below the root, such as `/fairlead/node-1/pod`
record PodProcess(long pid, List<Ip> addresses, String group) {
    PodProcess {
        addresses = List.copyOf(addresses);
    }

    /// Whether it is in a pod of these networks.
    boolean isIn(List<Cidr> podNetworks) {
        return addresses.stream()
                .anyMatch(ip -> podNetworks.stream()
                        .anyMatch(network -> network.family() == ip.family() && network.contains(ip)));
    }

    /// Whether programs of the group see it.
    boolean isBelow(String path) {
        return isBelow(path, group);
    }

    static boolean isBelow(String path, String own) {
        return path.equals("/") || own.equals(path) || own.startsWith(path + "/");
    }

    /// The addresses of a namespace, from two files that its processes have below `/proc/PID/net`.
    static List<Ip> addresses(List<String> fibTrie, List<String> ifInet6) {
        List<Ip> found = new ArrayList<>();
        String last = "";
        for (String line : fibTrie.stream().map(String::strip).toList()) {
            if (line.startsWith("|-- ")) {
                last = line.substring(4);
            } else if (line.startsWith("/32 host LOCAL")) {
                Ip.find(last).ifPresent(found::add);
            }
        }
        ifInet6.stream()
                .map(line -> Ip.of(HexFormat.of().parseHex(line, 0, 32)))
                .forEach(found::add);
        return found.stream().distinct().toList();
    }

    /// Some of them for a sentence.
    static String text(List<PodProcess> some) {
        int shown = Math.min(3, some.size());
        String words = some.subList(0, shown).stream()
                .map(one -> "%d in %s".formatted(one.pid, one.group))
                .collect(Collectors.joining(", "));
        return words + (some.size() > shown ? ", …" : "");
    }
}
