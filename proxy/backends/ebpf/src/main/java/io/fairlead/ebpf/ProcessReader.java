package io.fairlead.ebpf;

import io.fairlead.api.Ip;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.RouteSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The processes of this machine as `/proc` shows them; each network namespace is looked at once.
///
/// Only those that a link of our own namespace leads to have addresses here: other nodes on this machine may have pods
/// with the same ones.
final class ProcessReader {
    private static final Path PROC = Path.of("/proc");

    private final Map<String, List<Ip>> namespaces = new HashMap<>();

    private final RouteSocket links;

    private ProcessReader(RouteSocket links) {
        this.links = links;
    }

    /// As seen from the network namespace of the calling thread.
    static List<PodProcess> all() {
        try (RouteSocket links = RouteSocket.open()) {
            ProcessReader reader = new ProcessReader(links);
            return ProcessHandle.allProcesses()
                    .map(ProcessHandle::pid)
                    .flatMap(pid -> reader.find(pid).stream())
                    .toList();
        }
    }

    /// A process in each network namespace that processes of a control group, or of one below it, are in.
    static Collection<Long> oneOfEachNamespace(String group) {
        Map<String, Long> found = new HashMap<>();
        ProcessHandle.allProcesses().map(ProcessHandle::pid).forEach(pid -> {
            try {
                String namespace = Files.readSymbolicLink(
                                PROC.resolve(Long.toString(pid)).resolve("ns/net"))
                        .toString();
                if (ControlGroup.pathOf(pid)
                        .filter(own -> PodProcess.isBelow(group, own))
                        .isPresent()) {
                    found.putIfAbsent(namespace, pid);
                }
            } catch (IOException _) {
                // it ended meanwhile
            }
        });
        return found.values();
    }

    /// Nothing for a process that ended meanwhile, and for one of the kernel's own.
    private Optional<PodProcess> find(long pid) {
        Path folder = PROC.resolve(Long.toString(pid));
        try {
            String namespace = Files.readSymbolicLink(folder.resolve("ns/net")).toString();
            List<Ip> addresses = namespaces.get(namespace);
            if (addresses == null) {
                addresses = links.isLinkedTo(pid) ? addresses(folder.resolve("net")) : List.of();
                namespaces.put(namespace, addresses);
            }
            List<Ip> known = addresses;
            return ControlGroup.pathOf(pid).map(group -> new PodProcess(pid, known, group));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static List<Ip> addresses(Path net) throws IOException {
        return PodProcess.addresses(lines(net.resolve("fib_trie")), lines(net.resolve("if_inet6")));
    }

    /// A kernel without one of the families lacks its file.
    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
